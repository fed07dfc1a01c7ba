import { bool, oneOf, string, stringSlice } from '@coxswain/cobra';
import {
  allNamespacesFlag,
  chunkSizeFlag,
  fieldSelectorFlag,
  filenameFlags,
  selectorFlag,
  subresourceFlag,
} from '../../flags/object-flags.ts';
import { printFlags } from '../../flags/print.ts';

const outputFormats = [
  'json',
  'yaml',
  'kyaml',
  'name',
  'go-template',
  'go-template-file',
  'template',
  'templatefile',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'custom-columns',
  'custom-columns-file',
  'wide',
];

export const getFlags = {
  ...printFlags,
  output: {
    ...printFlags.output,
    usage:
      'Output format. One of: (json, yaml, kyaml, name, go-template, go-template-file, template, templatefile, jsonpath, jsonpath-as-json, jsonpath-file, custom-columns, custom-columns-file, wide).',
    complete: oneOf(outputFormats),
  },
  ...allNamespacesFlag,
  ...chunkSizeFlag,
  ...fieldSelectorFlag,
  ...filenameFlags('that name the objects to get'),
  ...selectorFlag,
  ...subresourceFlag,
  ignoreNotFound: bool({ usage: 'Exit with 0 if the object does not exist.' }),
  labelColumns: stringSlice({ shorthand: 'L', usage: 'Comma-separated labels to show as columns.' }),
  noHeaders: bool({ usage: "Don't print headings in the default and custom-columns output formats." }),
  outputWatchEvents: bool({
    usage: 'With --watch or --watch-only: print watch events instead of only their objects.',
  }),
  raw: string({ usage: 'Raw URI to request from the server.' }),
  serverPrint: bool({ default: true, usage: 'Have the server return the table to print.' }),
  showKind: bool({ usage: 'List the kind of each object.' }),
  showLabels: bool({ usage: 'Show all labels in the last column.' }),
  sortBy: string({ usage: "Sort by this field, a JSONPath expression such as '{.metadata.name}'." }),
  watch: bool({ shorthand: 'w', usage: 'After listing the objects, watch for changes.' }),
  watchOnly: bool({ usage: 'Watch for changes without listing the objects first.' }),
};
