/** Pieces drawn here: one set of plain shapes, one of letters for people who learn what stands where. */

const ROLES = ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king'] as const;
type Role = (typeof ROLES)[number];

/** Shapes in a field of 45 by 45, the foot on the line 39. */
const SHAPES: Record<Role, string> = {
  pawn: 'M22.5 9a5.5 5.5 0 0 1 3.6 9.7c2.4 1.2 3.6 3 3.6 4.6h-3.2c.3 5.6 1.8 8.6 6 11v4.7H12.5v-4.7c4.2-2.4 5.7-5.4 6-11h-3.2c0-1.6 1.2-3.4 3.6-4.6A5.5 5.5 0 0 1 22.5 9z',
  knight:
    'M13 39c-.4-7.5 3.6-11.2 8.4-15-3.5.6-5.4 1.8-7.2 4.1-2.7 1.2-6.5-.4-6.4-3.9 2.9-4.4 4.2-9 7.6-12.3L17.3 6l4.4 4.2c9.9.5 15.5 9.5 13.6 28.8z',
  bishop:
    'M22.5 5.2a3 3 0 0 1 2.1 5.1c4.9 3.6 7 7.6 7 11.2 0 3.2-1.4 5.6-3.7 7.3l1.7 4.7h2.9V39h-20v-5.5h2.9l1.7-4.7c-2.3-1.7-3.7-4.1-3.7-7.3 0-3.6 2.1-7.6 7-11.2a3 3 0 0 1 2.1-5.1z',
  rook: 'M11.5 8h5.2v4h3.6V8h4.4v4h3.6V8h5.2v9.5l-3.7 2.3.9 12.2 3.8 2.3V39h-24v-4.7l3.8-2.3.9-12.2-3.7-2.3z',
  queen:
    'M22.5 5.5a2.7 2.7 0 0 1 1.7 4.8l3.7 9.3 5-7.3a2.6 2.6 0 1 1 2.6 1.1L32 28.5l1.8 5.5V39H11.2v-5l1.8-5.5-3.5-15.1a2.6 2.6 0 1 1 2.6-1.1l5 7.3 3.7-9.3a2.7 2.7 0 0 1 1.7-4.8z',
  king: 'M20.8 4h3.4v3.2h3.2v3.4h-3.2v4.2c1.5-.9 3-1.3 4.8-1.2 5.5.2 8.6 5.7 6.6 11.2-.8 2.2-2.2 4.2-3.6 6.2l1.6 3.7V39H11.4v-4.5l1.6-3.7c-1.4-2-2.8-4-3.6-6.2-2-5.5 1.1-11 6.6-11.2 1.8-.1 3.3.3 4.8 1.2v-4.2h-3.2V7.2h3.2z',
};

const LETTERS: Record<Role, string> = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q', king: 'K' };

function drawing(set: 'kiebitz' | 'letters', role: Role, white: boolean): string {
  const fill = white ? '#fffdf7' : '#2b3034';
  const stroke = white ? '#2b3034' : '#0f1214';
  const body =
    set === 'kiebitz'
      ? `<path d="${SHAPES[role]}" fill="${fill}" stroke="${stroke}" stroke-width="1.6" stroke-linejoin="round"/>` +
        (white ? '' : `<path d="${SHAPES[role]}" fill="none" stroke="#f4f1e8" stroke-width=".7" opacity=".55"/>`)
      : `<circle cx="22.5" cy="22.5" r="17" fill="${fill}" stroke="${stroke}" stroke-width="1.6"/>` +
        `<text x="22.5" y="30.5" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="23" fill="${white ? '#2b3034' : '#fffdf7'}">${LETTERS[role]}</text>`;
  const eye =
    set === 'kiebitz' && role === 'knight'
      ? `<circle cx="18" cy="16" r="1.5" fill="${white ? '#2b3034' : '#f4f1e8'}"/>`
      : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">${body}${eye}</svg>`;
}

const installed = new Set<string>();

/** Adds the style rules of a set to the document, once. */
export function install(set: 'kiebitz' | 'letters'): void {
  if (installed.has(set)) return;
  installed.add(set);
  const rules = ROLES.flatMap((role) =>
    (['white', 'black'] as const).map(
      (color) =>
        `:root[data-pieces='${set}'] .cg-wrap piece.${role}.${color}{background-image:url("data:image/svg+xml,${encodeURIComponent(drawing(set, role, color === 'white'))}")}`,
    ),
  );
  document.head.append(Object.assign(document.createElement('style'), { textContent: rules.join('\n') }));
}
