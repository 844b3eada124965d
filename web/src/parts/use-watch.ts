/** Keeps a view in step with something in the workspace folder. */
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue';
import { backend } from '../api/backend';
import type { Running } from '../api/engine';
import type { Listing, Topic } from '../api/generated/messages';

/** Watches a topic that may change; nothing is watched while there is none. */
export function useWatch<K extends Listing['kind']>(kind: K, topic: () => Topic | undefined) {
  const listing = shallowRef<Extract<Listing, { kind: K }>>();
  const problem = ref('');
  let running: Running | undefined;

  watch(
    () => JSON.stringify(topic() ?? null),
    () => {
      running?.stop();
      listing.value = undefined;
      problem.value = '';
      const wanted = topic();
      if (!wanted) return;
      running = backend.engine.watch(
        wanted,
        (news) => {
          if (news.kind === kind) listing.value = news as Extract<Listing, { kind: K }>;
        },
        (fault) => (problem.value = fault.message),
      );
    },
    { immediate: true },
  );
  onBeforeUnmount(() => running?.stop());
  return { listing, problem };
}
