/** Options that several commands share, as values to spread into their tables. */
import { filesWith, oneOf, bool, int64, string, stringSlice } from '@coxswain/cobra';

export const dryRunFlag = {
  dryRun: string({
    default: 'none',
    bareValue: 'unchanged',
    usage:
      'Must be "none", "server" or "client". With "client", only print the object that would be sent. With "server", send the request without persisting the object.',
  }),
};

export const fieldManagerFlag = (manager: string) => ({
  fieldManager: string({ default: manager, usage: 'The name of the field manager.' }),
});

export const filenameFlags = (purpose: string) => ({
  filename: stringSlice({
    shorthand: 'f',
    usage: `Files, directories or URLs ${purpose}`,
    complete: filesWith('json', 'yaml', 'yml'),
  }),
  kustomize: string({
    shorthand: 'k',
    usage: "Process the kustomization directory. Can't be used together with -f or -R.",
  }),
  recursive: bool({
    shorthand: 'R',
    usage: 'Process the directories given with -f, --filename recursively.',
  }),
});

export const selectorFlag = {
  selector: string({
    shorthand: 'l',
    usage:
      "Label selector; supports '=', '==', '!=', 'in' and 'notin' (for example -l a=b,c=d). Objects must match all requirements.",
  }),
};

export const fieldSelectorFlag = {
  fieldSelector: string({
    usage: "Field selector; supports '=', '==' and '!=' (for example --field-selector a=b,c!=d).",
  }),
};

export const allNamespacesFlag = {
  allNamespaces: bool({
    shorthand: 'A',
    usage: 'Select objects in all namespaces. Overrides --namespace and the namespace of the context.',
  }),
};

export const chunkSizeFlag = {
  chunkSize: int64({
    default: 500,
    usage: 'Fetch large lists in chunks of this size. 0 fetches everything at once.',
  }),
};

export const validateFlag = {
  validate: string({
    default: 'strict',
    bareValue: 'strict',
    usage:
      'One of: strict (or true), warn, ignore (or false). "strict" rejects unknown and duplicate fields, "warn" warns about them, "ignore" accepts them.',
  }),
};

export const saveConfigFlag = {
  saveConfig: bool({ usage: 'Save the configuration in an annotation, for a later kubectl apply.' }),
};

export const subresourceFlag = {
  subresource: string({
    usage: 'Operate on this subresource of the object.',
    complete: oneOf(['status', 'scale', 'resize']),
  }),
};

export const recordFlag = {
  record: bool({
    usage: 'Record the command in an annotation of the object.',
    hidden: true,
    deprecated: '--record will be removed in the future',
  }),
};
