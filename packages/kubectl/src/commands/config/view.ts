import { dirname, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { bool, string } from '@coxswain/cobra';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigUser,
} from '@coxswain/client/kubeconfig/kubeconfig.ts';
import { command, usageError } from '../../command.ts';
import { orTemplate, outputFlag, showManagedFieldsFlag, templateFlags } from '../../flags/print.ts';
import { orderedConfig } from '../../kubeconfig/ordered.ts';
import { KubeconfigStore, type Stored, type StoredConfig } from '../../kubeconfig/stored.ts';

export const view = command({
  use: 'view [flags]',
  long: 'Print the merged configuration, or one kubeconfig file. Credentials are hidden unless --raw is set.',
  example: `  # All, merged
  kubectl config view

  # With secrets and certificates
  kubectl config view --raw

  # Only what the current context needs
  kubectl config view --minify`,
  flags: {
    ...templateFlags,
    ...showManagedFieldsFlag,
    output: string({ ...outputFlag.output, usage: outputFlag.output.usage, default: 'yaml' }),
    flatten: bool({ usage: 'Embed the contents of referenced files, so that the output is self-contained' }),
    merge: bool({ default: true, usage: 'Merge all kubeconfig files' }),
    minify: bool({ usage: 'Omit everything that the current context does not use' }),
    raw: bool({ usage: 'Show certificates and credentials' }),
  },
  async run(invocation) {
    const { context, flags, args } = invocation;
    if (args.length > 0) throw usageError(invocation, `unexpected arguments: [${args.join(' ')}]`);
    if (!flags.merge && context.globals.kubeconfig === '')
      throw new Error('if merge==false a precise file must be specified');
    const print = await context.printer(orTemplate(flags, invocation.changed('output')), {
      order: 'declared',
    });
    const { config } = new KubeconfigStore(context);
    if (flags.minify) minify(config, context.globals.context);
    if (flags.flatten) change(config, flattened);
    else if (!flags.raw) change(config, hidden);
    context.print(print(orderedConfig(plain(config))));
  },
});

const plain = ({ currentContext, preferences, clusters, users, contexts }: StoredConfig): Kubeconfig => ({
  preferences,
  'current-context': currentContext,
  clusters: [...clusters].map(([name, { value }]) => ({ name, cluster: value })),
  users: [...users].map(([name, { value }]) => ({ name, user: value })),
  contexts: [...contexts].map(([name, { value }]) => ({ name, context: value })),
});

/** @param context in place of the current one, unless empty */
function minify(config: StoredConfig, context: string): void {
  if (context !== '') config.currentContext = context;
  const { currentContext, contexts, clusters, users } = config;
  if (currentContext === '') throw new Error('current-context must exist in order to minify');
  const current = contexts.get(currentContext);
  if (current === undefined) throw new Error(`cannot locate context ${currentContext}`);
  const { cluster = '', user = '' } = current.value;
  if (cluster !== '' && !clusters.has(cluster)) throw new Error(`cannot locate cluster ${cluster}`);
  if (user !== '' && !users.has(user)) throw new Error(`cannot locate user ${user}`);
  keepOnly(contexts, currentContext);
  keepOnly(clusters, cluster);
  keepOnly(users, user);
}

function keepOnly(entries: Map<string, unknown>, kept: string): void {
  for (const name of entries.keys()) if (name !== kept) entries.delete(name);
}

type Change = <T extends KubeconfigCluster | KubeconfigUser>(entry: Stored<T>) => T;

function change({ clusters, users }: StoredConfig, body: Change): void {
  for (const [name, entry] of clusters) clusters.set(name, { ...entry, value: body(entry) });
  for (const [name, entry] of users) users.set(name, { ...entry, value: body(entry) });
}

const hiddenValues: Readonly<Record<string, string>> = {
  'certificate-authority-data': 'DATA+OMITTED',
  'client-certificate-data': 'DATA+OMITTED',
  'client-key-data': 'DATA+OMITTED',
  token: 'REDACTED',
  password: 'REDACTED',
};

const hidden: Change = ({ value }) =>
  replaced(value, (member, text) => (text === '' ? text : (hiddenValues[member] ?? text)));

/** Embeds the contents of files. */
const flattened: Change = ({ file = '.', value }) => {
  const changed: Record<string, unknown> = { ...value };
  for (const member of ['certificate-authority', 'client-certificate', 'client-key']) {
    const path = changed[member];
    if (typeof path !== 'string' || path === '') continue;
    changed[`${member}-data`] = readFileSync(resolve(dirname(file), path)).toString('base64');
    delete changed[member];
  }
  return changed as typeof value;
};

const replaced = <T extends object>(value: T, text: (member: string, text: string) => string): T =>
  Object.fromEntries(
    Object.entries(value).map(([member, content]) => [
      member,
      typeof content === 'string' ? text(member, content) : (content as unknown),
    ]),
  ) as T;
