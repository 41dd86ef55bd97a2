//! Small pictures beside the options of a game.

/// A picture of what an option changes, 48×48; an option that has none gets three sliders.
pub fn option(name: &str) -> String {
    let drawing = match name {
        "attributes" => {
            r##"<g stroke="#6b4320" stroke-width="1"><path d="M8 18 v20 a8 3.4 0 0 0 16 0 V18z" fill="#e0b981"/><ellipse cx="16" cy="18" rx="8" ry="3.4" fill="#fbe8c6"/><ellipse cx="16" cy="18" rx="4" ry="1.7" fill="#1c100a"/></g><g stroke="#d9b98a" stroke-width="1" stroke-linejoin="round"><path d="M27 28 l8 4 v10 l-8 -4z" fill="#7e5231"/><path d="M43 28 l-8 4 v10 l8 -4z" fill="#43270f"/><path d="M35 24 l8 4 -8 4 -8 -4z" fill="#8d5d38"/></g>"##
        }
        "squares" => {
            r##"<rect x="6" y="6" width="36" height="36" rx="5" fill="#7a4e2a"/><g fill="#4d2c13"><circle cx="12.5" cy="12.5" r="3.3"/><circle cx="20.2" cy="12.5" r="3.3"/><circle cx="27.8" cy="12.5" r="3.3"/><circle cx="35.5" cy="12.5" r="3.3"/><circle cx="12.5" cy="20.2" r="3.3"/><circle cx="35.5" cy="20.2" r="3.3"/><circle cx="12.5" cy="27.8" r="3.3"/><circle cx="35.5" cy="27.8" r="3.3"/><circle cx="12.5" cy="35.5" r="3.3"/><circle cx="20.2" cy="35.5" r="3.3"/><circle cx="27.8" cy="35.5" r="3.3"/><circle cx="35.5" cy="35.5" r="3.3"/></g><g fill="#f1d6a8"><circle cx="20.2" cy="20.2" r="3.3"/><circle cx="27.8" cy="20.2" r="3.3"/><circle cx="20.2" cy="27.8" r="3.3"/><circle cx="27.8" cy="27.8" r="3.3"/></g><rect x="15.6" y="15.6" width="16.8" height="16.8" rx="4" fill="none" stroke="#ffcf6b" stroke-width="2"/>"##
        }
        "call" => {
            r##"<path d="M8 8 h32 q4 0 4 4 v18 q0 4 -4 4 H24 l-9 8 v-8 H8 q-4 0 -4 -4 V12 q0 -4 4 -4z" fill="#a63a2b"/><path d="M24 13 v9 M24 28.5 v.1" stroke="#fff" stroke-width="4.5" stroke-linecap="round"/>"##
        }
        "players" => {
            r##"<g stroke="#fff8e8" stroke-width="1.5"><path d="M22 42 q0 -14 11 -14 q11 0 11 14z" fill="#b07c1e"/><circle cx="33" cy="20" r="7" fill="#b07c1e"/><path d="M4 42 q0 -14 11 -14 q11 0 11 14z" fill="#2e6b57"/><circle cx="15" cy="20" r="7" fill="#2e6b57"/></g>"##
        }
        "board" => {
            r##"<g stroke="#33241a" stroke-width="1.5"><rect x="5" y="5" width="17" height="17" rx="4" fill="#f9d6dd"/><rect x="26" y="5" width="17" height="17" rx="4" fill="#bfe3f2"/><rect x="5" y="26" width="17" height="17" rx="4" fill="#fbe6a8"/><rect x="26" y="26" width="17" height="17" rx="4" fill="#cfe6c4"/><circle cx="13.5" cy="14" r="4.5" fill="#7cc242"/><path d="M30 17 q4 -9 9 0z" fill="#3f7fb5"/><path d="M9 38 l4.5 -8 4.5 8z" fill="#e2722b"/><circle cx="34.5" cy="35" r="4.5" fill="#8a5a34"/></g>"##
        }
        "size" => {
            r##"<rect x="4" y="4" width="40" height="40" rx="3" fill="#e6c786"/><path d="M12 4 v40 M20 4 v40 M28 4 v40 M36 4 v40 M4 12 h40 M4 20 h40 M4 28 h40 M4 36 h40" stroke="#8a6a2c" stroke-width="1"/><path d="M15 33 L33 15 M25 15 h8 v8 M15 25 v8 h8" fill="none" stroke="#33241a" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>"##
        }
        "reserve" => {
            r##"<g stroke="#6f6350" stroke-width="1"><circle cx="17" cy="19" r="7" fill="#2d2a27"/><circle cx="31" cy="19" r="7" fill="#efeae0"/><circle cx="24" cy="13" r="7" fill="#2d2a27"/></g><path d="M4 22 h40 q0 20 -14 20 H18 Q4 42 4 22z" fill="#845630"/><path d="M4 22 h40" stroke="#d9b98a" stroke-width="2.5" stroke-linecap="round"/>"##
        }
        "target" => {
            r##"<path d="M12 44 V6" stroke="#845630" stroke-width="4" stroke-linecap="round"/><path d="M14 7 q8 -4 14 0 t14 0 v17 q-8 4 -14 0 t-14 0z" fill="#b07c1e"/><path d="M28 9.5 l1.8 4 4.3 .4 -3.3 2.9 1 4.3 -3.8 -2.3 -3.8 2.3 1 -4.3 -3.3 -2.9 4.3 -.4z" fill="#fff8e8"/>"##
        }
        "clock" => {
            r##"<circle cx="24" cy="26" r="18" fill="#845630"/><circle cx="24" cy="26" r="14" fill="#fff8e8"/><path d="M24 17 v9 l6 4" fill="none" stroke="#33241a" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M19 4 h10 M24 4 v4" stroke="#845630" stroke-width="4" stroke-linecap="round"/>"##
        }
        "lot" => {
            r##"<rect x="8" y="8" width="32" height="32" rx="7" fill="#fff8e8" stroke="#845630" stroke-width="2"/><g fill="#33241a"><circle cx="16" cy="16" r="3"/><circle cx="32" cy="16" r="3"/><circle cx="24" cy="24" r="3"/><circle cx="16" cy="32" r="3"/><circle cx="32" cy="32" r="3"/></g>"##
        }
        _ => {
            r##"<path d="M6 12 h36 M6 24 h36 M6 36 h36" stroke="#845630" stroke-width="3" stroke-linecap="round"/><g fill="#b07c1e" stroke="#fff8e8" stroke-width="1.5"><circle cx="16" cy="12" r="5"/><circle cx="32" cy="24" r="5"/><circle cx="20" cy="36" r="5"/></g>"##
        }
    };
    format!(r##"<svg viewBox="0 0 48 48" aria-hidden="true" focusable="false">{drawing}</svg>"##)
}
