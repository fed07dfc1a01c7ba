import { bool, oneOf, string, stringSlice } from '@coxswain/cobra';
import {
  allNamespacesFlag,
  chunkSizeFlag,
  fieldSelectorFlag,
  filenameFlags,
  selectorFlag,
  subresourceFlag,
} from '../../flags/shared.ts';
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
      'Output format: json, yaml, kyaml, name, go-template, go-template-file, template, templatefile, jsonpath, jsonpath-as-json, jsonpath-file, custom-columns, custom-columns-file or wide.',
    complete: oneOf(outputFormats),
  },
  ...allNamespacesFlag,
  ...chunkSizeFlag,
  ...fieldSelectorFlag,
  ...filenameFlags('that name the objects to get'),
  ...selectorFlag,
  ...subresourceFlag,
  ignoreNotFound: bool({ usage: 'An object that is not there is no error.' }),
  labelColumns: stringSlice({ shorthand: 'L', usage: 'Labels to show as columns.' }),
  noHeaders: bool({ usage: 'No headings above tables and custom columns.' }),
  outputWatchEvents: bool({ usage: 'With --watch: print the events, not only their objects.' }),
  raw: string({ usage: 'Path to GET as it is.' }),
  serverPrint: bool({ default: true, usage: 'Let the server make the table.' }),
  showKind: bool({ usage: 'Put the kind before the names.' }),
  showLabels: bool({ usage: 'Show all labels in a last column.' }),
  sortBy: string({ usage: "Field to sort by, as '.metadata.name'." }),
  watch: bool({ shorthand: 'w', usage: 'Go on with what changes.' }),
  watchOnly: bool({ usage: 'Only what changes from now on.' }),
};
