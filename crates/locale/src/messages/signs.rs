//! The signs between the texts of a pack; none of them can be typed into a message file.

/// After each message.
pub(crate) const END: char = '\u{1e}';
/// Before the number of an argument, which takes its place.
pub(crate) const ARGUMENT: char = '\u{1}';
/// Before the number of the argument that is counted; then follow the branches.
pub(crate) const PLURAL: char = '\u{2}';
/// After the form of a branch, and after its text.
pub(crate) const BRANCH: char = '\u{3}';
/// After the last branch.
pub(crate) const PLURAL_END: char = '\u{4}';
