use crate::GameArt;

/// A gradient that drawings refer to by its name.
pub(crate) struct Gradient {
    /// Its name in the page; the same name always means the same gradient.
    id: &'static str,
    element: &'static str,
    /// Where it begins and ends, as attributes.
    extent: &'static str,
    /// Offset, colour and, where it is not 1, opacity of each stop; stops are separated by commas.
    stops: &'static str,
}

impl Gradient {
    /// From left to right.
    pub(crate) const fn across(id: &'static str, stops: &'static str) -> Gradient {
        Gradient::linear(id, r#"x1="0" y1="0" x2="1" y2="0""#, stops)
    }

    /// From the upper left to the lower right, as the light falls.
    pub(crate) const fn down(id: &'static str, stops: &'static str) -> Gradient {
        Gradient::linear(id, r#"x1="0" y1="0" x2="1" y2="1""#, stops)
    }

    /// From one point to another.
    pub(crate) const fn linear(id: &'static str, extent: &'static str, stops: &'static str) -> Gradient {
        Gradient { id, element: "linearGradient", extent, stops }
    }

    /// Around a point.
    pub(crate) const fn radial(id: &'static str, extent: &'static str, stops: &'static str) -> Gradient {
        Gradient { id, element: "radialGradient", extent, stops }
    }

    fn markup(&self) -> String {
        let Gradient { id, element, extent, stops } = self;
        let stop = |stop: &str| {
            let mut parts = stop.split_whitespace();
            let (offset, colour) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let opacity = parts.next().map(|opacity| format!(r#" stop-opacity="{opacity}""#)).unwrap_or_default();
            format!(r#"<stop offset="{offset}" stop-color="{colour}"{opacity}/>"#)
        };
        let stops: String = stops.split(',').map(stop).collect();
        format!(r#"<{element} id="{id}" {extent}>{stops}</{element}>"#)
    }
}

/// Gradients of more than one game. Light falls from the upper left.
const SHARED: &[Gradient] = &[
    Gradient::radial("contact", "", "0 #1a0f06 .55, .6 #1a0f06 .25, 1 #1a0f06 0"),
    // The edge of a board: lit above, in its own shade below.
    Gradient::linear(
        "bevel",
        r#"x1="0" y1="0" x2="0" y2="1""#,
        "0 #ffe6be .5, .04 #ffe6be .12, .3 #ffe6be 0, .7 #1e0e04 0, .96 #1e0e04 .15, 1 #1e0e04 .5",
    ),
];

fn gradients() -> impl Iterator<Item = &'static Gradient> {
    SHARED.iter().chain(GameArt::all().flat_map(|art| art.gradients).copied().flatten())
}

/// The markup of each gradient once, though games that look alike bring the same.
fn markup(gradients: impl Iterator<Item = &'static Gradient>) -> String {
    gradients
        .map(Gradient::markup)
        .fold(String::new(), |all, one| if rules::find(&all, &one).is_some() { all } else { all + &one })
}

/// The gradients that all drawings share, as an invisible element that a page contains once.
pub fn defs() -> String {
    let gradients = markup(gradients());
    format!(
        r#"<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>{gradients}</defs></svg>"#
    )
}

/// The gradients that `shapes` refers to.
pub(crate) fn defs_for(shapes: &str) -> String {
    let used = |gradient: &&Gradient| rules::find(shapes, &format!("url(#{})", gradient.id)).is_some();
    format!("<defs>{}</defs>", markup(gradients().filter(used)))
}

/// Whether a game that is fetched alone brings every gradient that `shapes` refers to.
#[cfg(test)]
pub(crate) fn are_all_known(art: &GameArt, shapes: &str) -> bool {
    let known =
        |id: &str| SHARED.iter().chain(art.gradients.iter().copied().flatten()).any(|gradient| gradient.id == id);
    shapes.split("url(#").skip(1).filter_map(|rest| rest.split(')').next()).all(known)
}
