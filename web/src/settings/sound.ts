/** Short sounds made on the spot, so that no files have to be loaded. Silent unless chosen. */
import { settings } from './settings';

let context: AudioContext | undefined;

/** What just happened. */
export type Sound = 'move' | 'capture' | 'check' | 'end';

const TONES: Record<Sound, number[]> = { move: [220], capture: [160, 110], check: [330, 440], end: [262, 330, 392] };

/** Plays the sound of an event: a knock of a few hundredths of a second for each tone. */
export function play(sound: Sound): void {
  if (!settings.sounds) return;
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  TONES[sound].forEach((frequency, index) => {
    const oscillator = context!.createOscillator();
    const volume = context!.createGain();
    const from = currentTime + index * 0.08;
    oscillator.type = 'triangle';
    oscillator.frequency.setValueAtTime(frequency, from);
    volume.gain.setValueAtTime(0.18, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.12);
    oscillator.connect(volume).connect(destination);
    oscillator.start(from);
    oscillator.stop(from + 0.13);
  });
}

/** The sound that fits a move in SAN. */
export const soundOf = (san: string): Sound =>
  san.endsWith('#') ? 'end' : san.endsWith('+') ? 'check' : san.includes('x') ? 'capture' : 'move';
