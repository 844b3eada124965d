/** Who can be played against, asked once and again after the server came back. */
import { computed, shallowRef, watch } from 'vue';
import { backend } from './backend';
import type { Opponent, Player } from './generated/messages';

export const opponents = shallowRef<Opponent[]>([]);

/** The first of the list: the server puts its best choice there. */
export const bestOpponent = computed(() => opponents.value[0]?.id ?? 'handcrafted');

watch(
  backend.engine.state,
  async (state) => {
    if (state === 'open') opponents.value = await backend.engine.opponents();
  },
  { immediate: true },
);

/** A player's name for people. */
export function playerName(player: Player): string {
  if (player.kind === 'human') return player.name || 'You';
  const name = opponents.value.find(({ id }) => id === player.opponent)?.name ?? player.opponent;
  return player.elo === null ? name : `${name} · ${player.elo}`;
}
