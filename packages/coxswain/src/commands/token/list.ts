import { systemClock } from '@coxswain/apimachinery';
import { bool, commandFor, noArgs, string } from '@coxswain/cobra';
import { formatBootstrapToken } from '../../joining/bootstrap-token.ts';
import { listTokens, type StoredToken } from '../../joining/stored-tokens.ts';
import type { ProgramIo } from '../../program/program-io.ts';
import { tableText } from '../../program/table-text.ts';
import { kubeconfigFlag, withCluster } from './token-client.ts';

const command = commandFor<ProgramIo>();
const formats =
  'json yaml kyaml go-template go-template-file template templatefile jsonpath jsonpath-as-json jsonpath-file'.split(
    ' ',
  );

export const list = command({
  use: 'list',
  short: 'List the tokens of a cluster',
  args: noArgs,
  flags: {
    kubeconfig: kubeconfigFlag,
    output: string({
      shorthand: 'o',
      default: 'text',
      usage: `Output format. One of: ${['text', ...formats].join('|')}.`,
    }),
    allowMissingTemplateKeys: bool({
      default: true,
      usage: 'If true, ignore any errors in templates when a field or map key is missing in the template.',
    }),
  },
  async run({ context: io, flags }) {
    const write = await writerOf(flags.output, flags.allowMissingTemplateKeys, process.cwd());
    const tokens = await withCluster(io, flags.kubeconfig, listTokens);
    if (tokens.length > 0) io.out.write(write(tokens));
  },
});

/** @throws Error for an unknown format */
async function writerOf(
  output: string,
  allowMissingTemplateKeys: boolean,
  workingDirectory: string,
): Promise<(tokens: readonly StoredToken[]) => string> {
  if (output === 'text')
    return (tokens) => tableText([head, ...tokens.map((token) => cells(token, systemClock.now()))]);
  const { choosePrinter } = await import('@coxswain/kubectl/printers/choose.ts');
  const print = choosePrinter(
    { output, template: '', allowMissingTemplateKeys, showManagedFields: true },
    { order: 'declared', workingDirectory, moreFormats: ['text'], without: ['name'] },
  );
  return (tokens) => tokens.map((token) => print(tokenObject(token))).join('');
}

/** Has the shape that kubeadm prints, so that scripts can use either. */
const tokenObject = ({ token, description, expiration, usages, groups }: StoredToken) => ({
  kind: 'BootstrapToken',
  apiVersion: 'output.kubeadm.k8s.io/v1alpha3',
  token: formatBootstrapToken(token),
  ...(description !== '' && { description }),
  ...(expiration !== '' && { expires: expiration }),
  ...(usages.length > 0 && { usages }),
  ...(groups.length > 0 && { groups }),
});

const head = ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'];

const cells = ({ token, description, expiration, usages, groups }: StoredToken, nowMs: number) => [
  formatBootstrapToken(token),
  expiration === '' ? '<forever>' : remaining(Date.parse(expiration) - nowMs),
  expiration || '<never>',
  usages.join(',') || '<none>',
  description || '<none>',
  groups.join(',') || '<none>',
];

/** Formats a duration in its largest whole unit, as kubeadm does: `23h`. */
function remaining(ms: number): string {
  if (ms <= 0) return '<expired>';
  const unit = units.find(({ seconds }) => ms >= seconds * 1_000);
  return unit === undefined ? '0s' : `${Math.floor(ms / 1_000 / unit.seconds)}${unit.name}`;
}

const units = [
  { name: 'y', seconds: 365 * 86_400 },
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'm', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;
