/// One drawing in a frame of its own.
pub(crate) struct Drawing {
    /// The width of the frame.
    pub(crate) width: u16,
    /// The height of the frame.
    pub(crate) height: u16,
    /// What is drawn, in units of the frame.
    pub(crate) shapes: String,
}

impl Drawing {
    /// A drawing in a square frame of 100×100.
    pub(crate) fn square(shapes: String) -> Drawing {
        Drawing { width: 100, height: 100, shapes }
    }

    /// An element of its own, as large as the page makes it.
    pub(crate) fn svg(&self) -> String {
        let Drawing { width, height, shapes } = self;
        format!(r#"<svg viewBox="0 0 {width} {height}" aria-hidden="true" focusable="false">{shapes}</svg>"#)
    }

    /// A part of a larger drawing, fitted into a box of it.
    pub(crate) fn inside(&self, x: i32, y: i32, box_width: i32, box_height: i32) -> String {
        let Drawing { width, height, shapes } = self;
        format!(
            r#"<svg x="{x}" y="{y}" width="{box_width}" height="{box_height}" viewBox="0 0 {width} {height}" overflow="visible">{shapes}</svg>"#
        )
    }
}
