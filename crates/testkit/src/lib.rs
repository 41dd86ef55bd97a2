//! One conformance suite for every game; a dev-dependency only.
