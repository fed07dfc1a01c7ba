/** Deletes objects whose owners are gone; handles foreground deletion and orphaning of dependents. */

import type { Controller } from '../controller.ts';
import { startReconciler } from '../reconciler.ts';
import { GarbageCollector, reportedName } from './collector.ts';
import { monitorKinds } from './monitors.ts';
import { attemptToDelete } from './attempt-to-delete.ts';
import { attemptToOrphan } from './attempt-to-orphan.ts';

const workers = 20;

export const garbageCollector: Controller = {
  name: 'garbage-collector-controller',
  aliases: ['garbagecollector'],
  serviceAccount: 'generic-garbage-collector',
  start(context) {
    if (!context.settings.enableGarbageCollector) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const collector = new GarbageCollector(context, {
      attemptToDelete: (uid) => deletions.add(uid),
      attemptToOrphan: (uid) => orphanings.add(uid),
    });
    const options = {
      workers,
      ready: () => promise,
      nameOf: (uid: string) => reportedName(collector.graph.node(uid), uid),
    };
    const deletions = startReconciler(context, {
      queueName: 'garbage_collector_attempt_to_delete',
      ...options,
      reconcile: attemptToDelete.bind(undefined, collector),
    });
    const orphanings = startReconciler(context, {
      queueName: 'garbage_collector_attempt_to_orphan',
      ...options,
      reconcile: attemptToOrphan.bind(undefined, collector),
    });
    context.run(monitorKinds(collector, resolve));
  },
};
