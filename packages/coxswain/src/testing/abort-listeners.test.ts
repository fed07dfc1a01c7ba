import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { withCluster } from './with-cluster.ts';

/** Node does not limit the listeners of abort signals, so only counting reveals a leak. */
function signalsListenedTo(): { readonly signals: ReadonlySet<AbortSignal>; restore(): void } {
  const signals = new Set<AbortSignal>();
  const { prototype } = EventTarget;
  const original = prototype.addEventListener;
  prototype.addEventListener = function (...args) {
    if (this instanceof AbortSignal) signals.add(this);
    return original.apply(this, args);
  };
  return { signals, restore: () => (prototype.addEventListener = original) };
}

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
};

test(
  'no abort signal of a cluster collects listeners while workloads come and go',
  withCluster(async (cluster) => {
    const { signals, restore } = signalsListenedTo();
    const round = async () => {
      await cluster.apply(web);
      await cluster.idle();
      await cluster.remove(web);
      await cluster.idle();
    };
    try {
      for (let warm = 0; warm < 3; warm++) await round();
      const before = new Map(
        [...signals].map((signal) => [signal, getEventListeners(signal, 'abort').length]),
      );
      for (let more = 0; more < 12; more++) await round();
      const grown = [...before].map(([signal, count]) => getEventListeners(signal, 'abort').length - count);
      expect(before.size).toBeGreaterThan(0);
      expect(Math.max(...grown)).toBeLessThan(6);
    } finally {
      restore();
    }
  }),
);
