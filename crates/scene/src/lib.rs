//! What to draw and what may be touched, as plain data.
