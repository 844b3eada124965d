/** Times and sizes as people say them. */

/** "3 minutes ago". */
export function ago(then: number, now: number = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - then) / 1000));
  const steps: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ];
  for (const [size, word] of steps) {
    const count = Math.floor(seconds / size);
    if (count >= 1) return `${count} ${word}${count === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}

/** "1.2 MB". */
export function bytesText(bytes: number): string {
  const steps: [number, string][] = [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ];
  for (const [size, unit] of steps) if (bytes >= size) return `${(bytes / size).toFixed(1)}\u202f${unit}`;
  return `${bytes}\u202fB`;
}
