use rules::{BadOptions, OptionSpec, OptionValues, Options};

/// Every combination of options that go together, numbers sampled at their ends and at the default.
///
/// ```
/// use rules::quixo::QuixoOptions;
///
/// assert_eq!(testkit::every_option::<QuixoOptions>().len(), 2);
/// ```
///
/// # Panics
/// If an option text made from the game's own specification cannot be read.
pub fn every_option<O: Options>() -> Vec<O> {
    let mut all: Vec<O> = Vec::new();
    for text in every_option_text(O::spec()) {
        match text.parse() {
            Ok(options) if !all.contains(&options) => all.push(options),
            Ok(_) | Err(BadOptions::Conflict { .. }) => {}
            Err(error) => panic!("{text:?} follows the specification: {error}"),
        }
    }
    all
}

/// The texts behind [`every_option`], with every option given or, for numbers, left out.
pub fn every_option_text(spec: &[OptionSpec]) -> Vec<String> {
    let mut texts = vec![String::new()];
    for option in spec {
        let mut longer = Vec::new();
        for text in &texts {
            for value in values(option.values) {
                let comma = if text.is_empty() || value.is_none() { "" } else { "," };
                let pair = value.map(|value| format!("{}={value}", option.name)).unwrap_or_default();
                longer.push(format!("{text}{comma}{pair}"));
            }
        }
        texts = longer;
    }
    texts
}

/// What one option is tried with; `None` leaves it out, where its default depends on other options.
fn values(values: OptionValues) -> Vec<Option<String>> {
    match values {
        OptionValues::OneOf(words) => words.iter().map(|word| Some((*word).to_owned())).collect(),
        OptionValues::Subset(words) => (1u32..1 << words.len())
            .map(|chosen| {
                let chosen = words.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
                Some(chosen.map(|(_, word)| *word).collect::<Vec<_>>().join("+"))
            })
            .collect(),
        OptionValues::Number { min, max } => vec![None, Some(min.to_string()), Some(max.to_string())],
    }
}
