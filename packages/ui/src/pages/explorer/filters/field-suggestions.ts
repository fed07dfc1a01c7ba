/** The fields that the server can select by, with suggested values from the rows. */

import type { ApiResource } from '@coxswain/client';
import type { ListedRow } from '../../../cluster/table-source.ts';
import type { Suggestion } from '../../../controls/suggest-input.tsx';

/** In addition to name and namespace, which every kind supports. */
const more: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  replicasets: ['status.replicas'],
  replicationcontrollers: ['status.replicas'],
  jobs: ['status.successful'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  certificatesigningrequests: ['spec.signerName'],
};

const values: Readonly<Record<string, readonly string[]>> = {
  'status.phase': ['Running', 'Pending', 'Succeeded', 'Failed', 'Active', 'Terminating'],
  'spec.restartPolicy': ['Always', 'OnFailure', 'Never'],
  'spec.unschedulable': ['true', 'false'],
  type: ['Warning', 'Normal'],
};

export function fieldSuggestions(
  typed: string,
  { resource, namespaced }: ApiResource,
  rows: ReadonlyMap<string, ListedRow>,
): readonly Suggestion[] {
  const comma = typed.lastIndexOf(',') + 1;
  const [before, last] = [typed.slice(0, comma), typed.slice(comma).trim()];
  const [field = '', value] = last.split(/!?==?/);
  if (value === undefined) {
    const fields = [
      'metadata.name',
      ...(namespaced ? ['metadata.namespace'] : []),
      ...(more[resource] ?? []),
    ];
    return fields.filter((name) => name.includes(field)).map((name) => ({ value: `${before}${name}=` }));
  }
  const stem = last.slice(0, last.length - value.length);
  return valuesOf(field, rows)
    .filter((known) => known.includes(value) && known !== value)
    .map((known) => ({ value: `${before}${stem}${known}` }));
}

function valuesOf(field: string, rows: ReadonlyMap<string, ListedRow>): readonly string[] {
  if (field !== 'metadata.name' && field !== 'metadata.namespace') return values[field] ?? [];
  const member = field === 'metadata.name' ? 'name' : 'namespace';
  return [...new Set([...rows.values()].map(({ metadata }) => metadata[member] ?? ''))];
}
