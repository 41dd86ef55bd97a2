//! Every text a person reads, in Ukrainian, Russian and English.
