//! Trains the network of the Quixo player on exact values and writes its file.
//!
//! ```sh
//! zcat quixo_moves.txt.gz | cargo run --release -p search --example train_quixo -- crates/search/src/bots/quixo/quixo.net
//! ```
//!
//! After the file, the number of epochs, the learning rate, the weight decay and the seed may be given; left out,
//! they are those the file in the repository was made with. It takes about a quarter of a minute.
//!
//! Reads lines as `search::bots::quixo::oracle` describes them from standard input. Every position that
//! `is_held_out`, and every position one move after such a one, is kept out of training and only measured.
//! The seed is fixed, so the same lines give the same file on the same machine.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::io::BufRead;

use rules::Position;
use rules::Side;
use search::Random;
use search::bots::quixo::oracle::Exact;
use search::bots::quixo::training::{HIDDEN, LINES, PATTERNS, Weights, canonical, is_quiet, patterns, turn};

const BATCH: usize = 1024;

struct Settings {
    epochs: usize,
    rate: f32,
    decay: f32,
    seed: u64,
}

/// A position to learn with the result for the side to act.
#[derive(Clone, Copy)]
struct Sample {
    own: u32,
    other: u32,
    target: f32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments.next().ok_or("the file to write is missing")?;
    let mut number = |default: f32| arguments.next().map_or(Ok(default), |text| text.parse());
    let settings = Settings {
        epochs: number(40.0)? as usize,
        rate: number(0.008)?,
        decay: number(0.03)?,
        seed: number(1.0)? as u64,
    };
    let (train, check) = read()?;
    eprintln!("{} samples to learn, {} to check", train.len(), check.len());
    let mut trainer = Trainer::new(&settings);
    let steps = settings.epochs * train.len().div_ceil(BATCH);
    let mut random = Random::new(settings.seed);
    let mut order: Vec<usize> = (0..train.len()).collect();
    let mut step = 0;
    for epoch in 1..=settings.epochs {
        for left in (1..order.len()).rev() {
            order.swap(left, random.below(left as u32 + 1) as usize);
        }
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let progress = step as f32 / steps as f32;
            let rate = settings.rate * (0.5 + 0.5 * (std::f32::consts::PI * progress).cos()).max(0.01);
            for &index in batch {
                loss += f64::from(trainer.learn(&train[index], random.below(8) as usize));
            }
            trainer.step(rate, settings.decay, batch.len());
            step += 1;
        }
        let checked: f64 = check.iter().map(|sample| f64::from(trainer.loss(sample))).sum();
        let (loss, checked) = (loss / train.len() as f64, checked / check.len().max(1) as f64);
        eprintln!("epoch {epoch}: loss {loss:.5}, held out {checked:.5}");
        std::fs::write(&out, trainer.weights().to_bytes())?;
    }
    Ok(())
}

/// Reads exact positions and gives the quiet ones that follow, each once: to learn, and to check.
fn read() -> Result<(Vec<Sample>, Vec<Sample>), Box<dyn Error>> {
    let mut known: HashMap<(u32, u32), f32> = HashMap::new();
    let mut held: HashSet<(u32, u32)> = HashSet::new();
    for line in std::io::stdin().lock().lines() {
        let exact = Exact::parse(&line?)?;
        let position = exact.position()?;
        let mut add = |own, other, value: f32| {
            if is_quiet(own, other) {
                let key = canonical(own, other);
                known.insert(key, value);
                if exact.is_held_out() {
                    held.insert(key);
                }
            }
        };
        add(exact.own, exact.other, f32::from(exact.value) / 2.0);
        for &(action, value) in &exact.moves {
            let mut next = position;
            next.play_unchecked(action);
            add(next.marks(Side::TWO), next.marks(Side::ONE), 1.0 - f32::from(value) / 2.0);
        }
    }
    let mut samples: Vec<_> = known.into_iter().collect();
    samples.sort_by_key(|(key, _)| *key);
    let (check, train): (Vec<_>, Vec<_>) = samples.into_iter().partition(|(key, _)| held.contains(key));
    let sample = |((own, other), target)| Sample { own, other, target };
    Ok((train.into_iter().map(sample).collect(), check.into_iter().map(sample).collect()))
}

/// Parameters with what Adam remembers of their slopes.
struct Parameters {
    values: Vec<f32>,
    slopes: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Parameters {
    fn new(values: Vec<f32>) -> Parameters {
        let zeros = vec![0.0; values.len()];
        Parameters { values, slopes: zeros.clone(), mean: zeros.clone(), square: zeros }
    }

    fn step(&mut self, rate: f32, decay: f32, corrections: (f32, f32), most: f32) {
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((value, slope), (mean, square)) in self.values.iter_mut().zip(&mut self.slopes).zip(moments) {
            *mean += 0.1 * (*slope - *mean);
            *square += 0.001 * (*slope * *slope - *square);
            let change = *mean / corrections.0 / ((*square / corrections.1).sqrt() + 1e-8);
            *value = (*value - rate * (change + decay * *value)).clamp(-most, most);
            *slope = 0.0;
        }
    }
}

struct Trainer {
    rows: Parameters,
    bias: Parameters,
    output: Parameters,
    output_bias: Parameters,
    steps: i32,
}

impl Trainer {
    fn new(settings: &Settings) -> Trainer {
        let mut random = Random::new(settings.seed ^ 0x5eed);
        let mut around_zero = |count: usize, width: f32| -> Vec<f32> {
            (0..count).map(|_| (random.unit() as f32 - 0.5) * 2.0 * width).collect()
        };
        Trainer {
            rows: Parameters::new(around_zero(LINES * PATTERNS * HIDDEN, 0.1)),
            bias: Parameters::new(vec![0.3; HIDDEN]),
            output: Parameters::new(around_zero(HIDDEN, 0.5)),
            output_bias: Parameters::new(vec![0.0]),
            steps: 0,
        }
    }

    fn weights(&self) -> Weights {
        Weights {
            rows: self.rows.values.clone(),
            bias: std::array::from_fn(|unit| self.bias.values[unit]),
            output: std::array::from_fn(|unit| self.output.values[unit]),
            output_bias: self.output_bias.values[0],
        }
    }

    fn forward(&self, lines: &[u8; LINES]) -> ([f32; HIDDEN], f32) {
        let mut sums: [f32; HIDDEN] = std::array::from_fn(|unit| self.bias.values[unit]);
        for (line, &pattern) in lines.iter().enumerate() {
            let row = &self.rows.values[row(line, pattern)..][..HIDDEN];
            sums.iter_mut().zip(row).for_each(|(sum, term)| *sum += term);
        }
        let mut logit = self.output_bias.values[0];
        for (sum, weight) in sums.iter().zip(&self.output.values) {
            let passed = sum.clamp(0.0, 1.0);
            logit += passed * passed * weight;
        }
        (sums, logit)
    }

    fn loss(&self, sample: &Sample) -> f32 {
        cross_entropy(self.forward(&patterns(sample.own, sample.other)).1, sample.target)
    }

    /// Adds the slopes of one sample, seen under a symmetry, and returns its loss.
    fn learn(&mut self, sample: &Sample, symmetry: usize) -> f32 {
        let (own, other) = turn(sample.own, sample.other, symmetry);
        let lines = patterns(own, other);
        let (sums, logit) = self.forward(&lines);
        let error = logistic(logit) - sample.target;
        self.output_bias.slopes[0] += error;
        let mut slopes = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            let passed = sums[unit].clamp(0.0, 1.0);
            self.output.slopes[unit] += error * passed * passed;
            let open = if sums[unit] > 0.0 && sums[unit] < 1.0 { 1.0 } else { 0.0 };
            slopes[unit] = open * error * 2.0 * passed * self.output.values[unit];
            self.bias.slopes[unit] += slopes[unit];
        }
        for (line, &pattern) in lines.iter().enumerate() {
            let row = &mut self.rows.slopes[row(line, pattern)..][..HIDDEN];
            row.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
        }
        cross_entropy(logit, sample.target)
    }

    fn step(&mut self, rate: f32, decay: f32, batch: usize) {
        self.steps += 1;
        let corrections = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        let all = [&mut self.rows, &mut self.bias, &mut self.output, &mut self.output_bias];
        for (parameters, most) in all.into_iter().zip([9.5, 9.5, 3.9, 10.0]) {
            parameters.slopes.iter_mut().for_each(|slope| *slope /= batch as f32);
            parameters.step(rate, decay, corrections, most);
        }
    }
}

/// Where the numbers of a line's pattern begin.
fn row(line: usize, pattern: u8) -> usize {
    (line * PATTERNS + usize::from(pattern)) * HIDDEN
}

fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// How badly the expected result fits the true one, over what cannot be avoided.
fn cross_entropy(logit: f32, target: f32) -> f32 {
    let entropy = |expected: f32| -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln());
    let possible = |result: f32| result.clamp(1e-6, 1.0 - 1e-6);
    entropy(possible(logistic(logit))) - entropy(possible(target))
}
