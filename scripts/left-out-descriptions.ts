/**
 * What the API answers about types and members of which the npm package says nothing: it has no classes for
 * some types, and no comments on members that lead to structs. Only what documents of custom resources show.
 */

import { definitionName } from '@coxswain/schema/openapi/names.ts';

/** By struct, then by member; the empty name is the struct's own. */
const leftOut: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'autoscaling/v1.Scale': {
    metadata:
      'Standard object metadata; More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata.',
    spec: 'spec defines the behavior of the scale. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status.',
    status:
      'status is the current status of the scale. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status. Read-only.',
  },
  'meta/v1.DeleteOptions': {
    preconditions:
      'Must be fulfilled before a deletion is carried out. If not possible, a 409 Conflict status will be returned.',
  },
  'meta/v1.FieldsV1': {
    '': "FieldsV1 stores a set of fields in a data structure like a Trie, in JSON format.\n\nEach key is either a '.' representing the field itself, and will always map to an empty set, or a string representing a sub-field or item. The string will follow one of these four formats: 'f:<name>', where <name> is the name of a field in a struct, or key in a map 'v:<value>', where <value> is the exact json formatted value of a list item 'i:<index>', where <index> is position of a item in a list 'k:<keys>', where <keys> is a map of  a list item's key fields to their unique values If a key maps to an empty Fields value, the field that key represents is part of the set.\n\nThe exact format is defined in sigs.k8s.io/structured-merge-diff",
  },
  'meta/v1.ListMeta': {
    shardInfo:
      'shardInfo is set when the list is a filtered subset of the full collection, as selected by a shard selector on the request. It echoes back the selector so clients can verify which shard they received and merge sharded responses. Clients should not cache sharded list responses as a full representation of the collection.\n\nThis is an alpha field and requires enabling the ShardedListAndWatch feature gate.',
  },
  'meta/v1.Patch': {
    '': 'Patch is provided to give a concrete name and type to the Kubernetes PATCH request body.',
  },
  'meta/v1.Status': {
    details:
      'Extended data associated with the reason.  Each reason may define its own extended details. This field is optional and the data returned is not guaranteed to conform to any schema except that defined by the reason type.',
    metadata:
      'Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
  },
  'meta/v1.Time': {
    '': 'Time is a wrapper around time.Time which supports correct marshaling to YAML and JSON.  Wrappers are provided for many of the factory methods that the time package offers.',
  },
};

export const leftOutDescriptions = (): Record<string, Readonly<Record<string, string>>> =>
  Object.fromEntries(Object.entries(leftOut).map(([name, members]) => [definitionName(name), members]));
