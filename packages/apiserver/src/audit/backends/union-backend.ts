/** Sends every event to several back ends. */
import type { AuditBackend } from '../audit-event.ts';

export const unionBackend = (backends: readonly AuditBackend[]): AuditBackend =>
  backends.length === 1
    ? backends[0]!
    : {
        name: `union[${backends.map(({ name }) => name).join(',')}]`,
        process(events) {
          const kept = backends.map((backend) => backend.process(events));
          return kept.some((one) => one instanceof Promise)
            ? Promise.all(kept).then((all) => all.every(Boolean))
            : kept.every(Boolean);
        },
        flush: async () => void (await Promise.all(backends.map((backend) => backend.flush()))),
      };
