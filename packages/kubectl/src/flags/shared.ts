/** Options that several commands share, as values to spread into their tables. */
import { filesWith, oneOf, bool, int64, string, stringSlice } from '@coxswain/cobra';

export const dryRunFlag = {
  dryRun: string({
    default: 'none',
    bareValue: 'unchanged',
    usage:
      'One of "none", "server" or "client": client only prints what would be sent, server sends it without storing it.',
  }),
};

export const fieldManagerFlag = (manager: string) => ({
  fieldManager: string({ default: manager, usage: 'Who owns the fields that are written' }),
});

export const filenameFlags = (purpose: string) => ({
  filename: stringSlice({
    shorthand: 'f',
    usage: `Files, directories or URLs ${purpose}`,
    complete: filesWith('json', 'yaml', 'yml'),
  }),
  kustomize: string({ shorthand: 'k', usage: 'A kustomization directory; not together with -f or -R.' }),
  recursive: bool({ shorthand: 'R', usage: 'Read the directories of -f with all below them.' }),
});

export const selectorFlag = {
  selector: string({
    shorthand: 'l',
    usage: "Label selector with '=', '==', '!=', 'in', 'notin' (-l a=b,c=d); all must match.",
  }),
};

export const fieldSelectorFlag = {
  fieldSelector: string({ usage: "Field selector with '=', '==' and '!=' (--field-selector a=b,c!=d)." }),
};

export const allNamespacesFlag = {
  allNamespaces: bool({
    shorthand: 'A',
    usage: 'In all namespaces, whatever --namespace or the context say.',
  }),
};

export const chunkSizeFlag = {
  chunkSize: int64({ default: 500, usage: 'Objects per list request; 0 for all in one.' }),
};

export const validateFlag = {
  validate: string({
    default: 'strict',
    bareValue: 'strict',
    usage:
      'strict (or true) refuses unknown and duplicate fields, warn tells about them, ignore (or false) takes them.',
  }),
};

export const saveConfigFlag = {
  saveConfig: bool({ usage: 'Keep the configuration in an annotation, for a later kubectl apply.' }),
};

export const subresourceFlag = {
  subresource: string({
    usage: 'The subresource instead of the object itself.',
    complete: oneOf(['status', 'scale', 'resize']),
  }),
};

export const recordFlag = {
  record: bool({
    usage: 'Note the command in an annotation of the object.',
    hidden: true,
    deprecated: '--record will be removed in the future',
  }),
};
