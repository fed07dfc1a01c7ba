/** The mode `blocking`: requests wait until their events are written, and continue even if that fails. */
import type { AuditBackend } from '../audit-event.ts';

export const lenientBackend = (backend: AuditBackend): AuditBackend => ({
  name: `ignoreErrors<${backend.name}>`,
  process(events) {
    const kept = backend.process(events);
    return kept instanceof Promise ? kept.then(() => true) : true;
  },
  flush: () => backend.flush(),
});
