/** A ReplicationController is a ReplicaSet with a simpler selector, and without a count of terminating pods. */

import type { KubeObject } from '@coxswain/apimachinery';
import { resources, type ReplicaSet } from '../objects.ts';
import type { ReplicaForm } from './replica-form.ts';

export const replicationControllerForm: ReplicaForm = {
  resource: resources.replicationControllers,
  kind: { apiVersion: 'v1', kind: 'ReplicationController' },
  eventSource: 'replication-controller',
  queueName: 'replicationmanager',

  read(object) {
    const { spec } = object as KubeObject & { spec?: { selector?: Record<string, string> } };
    return {
      ...object,
      spec: { ...spec, selector: { matchLabels: spec?.selector ?? {} } },
    } as unknown as ReplicaSet;
  },

  withStatus(object, { terminatingReplicas: _count, ...status }) {
    return { ...object, status } as KubeObject;
  },
};
