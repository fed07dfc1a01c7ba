/** Who plays the areas of which recordings, in Node as in a page. */
import type { CaseResult } from '../../packages/kube-apiserver/test/oracle/replay.ts';

export type PlayerName = 'requests' | 'kubectl' | 'cluster';

/** @param area as its file has it */
export async function playArea(player: PlayerName, area: unknown): Promise<readonly CaseResult[]> {
  // Before the certificates that need it.
  await import('reflect-metadata');
  return (await players[player]())(area as never);
}

const players = {
  requests: async () => {
    const { replayAreas } = await import('../../packages/kube-apiserver/test/oracle/replay.ts');
    return (area: Parameters<typeof replayAreas>[0][number]) => replayAreas([area]);
  },
  kubectl: async () => (await import('./kubectl/replay.ts')).replayKubectl,
  cluster: async () => (await import('./cluster/replay.ts')).replayCluster,
} satisfies Record<PlayerName, () => Promise<(area: never) => Promise<CaseResult[]>>>;
