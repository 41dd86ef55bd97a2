// Short, quiet sounds of wood, card and stone, made on the spot.

let audio = null;

// The settings on the page; a worker has no document.
const chosen = () => document.documentElement.dataset;
const volume = () => ({ quiet: 0.4, loud: 2.2 }[chosen().volume] ?? 1);

function knock(at, frequency, length, level, noise) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(level * volume(), at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  if (noise) {
    const samples = Math.floor(audio.sampleRate * length);
    const buffer = audio.createBuffer(1, samples, audio.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < samples; i++) data[i] = Math.random() * 2 - 1;
    const source = audio.createBufferSource();
    source.buffer = buffer;
    const filter = audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    source.connect(filter).connect(gain);
    source.start(at);
    return;
  }
  const tone = audio.createOscillator();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(frequency, at);
  tone.frequency.exponentialRampToValueAtTime(frequency * 0.6, at + length);
  tone.connect(gain);
  tone.start(at);
  tone.stop(at + length);
}

// Soft tones in place of knocks; longer melodies are the same in both sets.
const TONES = { card: [880], stone: [587], wood: [440, 660] };

export function play(name) {
  try {
    audio ??= new AudioContext();
    const now = audio.currentTime + 0.01;
    if (chosen().sounds === "tones" && TONES[name]) TONES[name].forEach((tone, n) => knock(now + n * 0.07, tone, 0.3, 0.08, false));
    else if (name === "card") knock(now, 2400, 0.09, 0.06, true);
    else if (name === "stone") { knock(now, 1500, 0.05, 0.09, false); knock(now, 3200, 0.03, 0.05, true); }
    else if (name === "turn") [523, 659].forEach((tone, n) => knock(now + n * 0.12, tone, 0.25, 0.06, false));
    else if (name === "call") [523, 523, 784, 1046].forEach((tone, n) => knock(now + n * 0.14, tone, n === 3 ? 0.8 : 0.2, 0.1, false));
    else if (name === "win") [392, 494, 587, 784].forEach((tone, n) => knock(now + n * 0.11, tone, 0.4, 0.07, false));
    else { knock(now, 240, 0.09, 0.14, false); knock(now, 900, 0.04, 0.08, true); }
  } catch { /* A page without sound is a page all the same. */ }
}
