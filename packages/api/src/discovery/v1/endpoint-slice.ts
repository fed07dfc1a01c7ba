import * as t from '@coxswain/schema';
import { ageColumn, column, listWithMore, nameColumn } from '../../meta/columns.ts';
import { validateSlice } from './endpoint-slice-validation.ts';
import { sliceWarnings } from './endpoint-slice-warnings.ts';
import { Endpoint, EndpointPort } from './endpoint.ts';

export const EndpointSlice = t.kind(
  'discovery/v1.EndpointSlice',
  'discovery.k8s.io/v1',
  { plural: 'endpointslices', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    addressType: t.always(4, t.named('v1.AddressType', t.oneOf(['IPv4', 'IPv6', 'FQDN'])), {
      required: true,
    }),
    endpoints: t.always(2, t.atomicList(Endpoint)),
    ports: t.always(3, t.atomicList(EndpointPort)),
  },
  {
    validate: validateSlice,
    warnings: sliceWarnings,
    columns: [
      nameColumn,
      column('AddressType', ({ addressType }) => addressType),
      column('Ports', ({ ports }) =>
        listWithMore(
          (ports ?? []).map(({ port, name }) => (port == null ? (name ?? '*') : `${port}`)),
          shownMax,
          '<unset>',
        ),
      ),
      column('Endpoints', ({ endpoints }) =>
        listWithMore(
          (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
          shownMax,
          '<unset>',
        ),
      ),
      ageColumn,
    ],
  },
);
export interface EndpointSlice extends t.Static<typeof EndpointSlice> {}

const shownMax = 3;
