import { formatDurationMs, systemClock } from '@coxswain/apimachinery';
import { commandFor, noArgs } from '@coxswain/cobra';
import { formatBootstrapToken } from '../../joining/bootstrap-token.ts';
import { listTokens } from '../../joining/stored-tokens.ts';
import type { StoredToken } from '../../joining/stored-tokens.ts';
import type { ProgramIo } from '../../program-io.ts';
import { tableText } from '../../table-text.ts';
import { kubeconfigFlag, withCluster } from './token-client.ts';

const command = commandFor<ProgramIo>();

export const list = command({
  use: 'list',
  short: 'List the tokens of a cluster',
  args: noArgs,
  flags: { kubeconfig: kubeconfigFlag },
  async run({ context: io, flags }) {
    const tokens = await withCluster(io, flags.kubeconfig, listTokens);
    if (tokens.length === 0) return;
    io.out.write(tableText([head, ...tokens.map((token) => cells(token, systemClock.now()))]));
  },
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

const remaining = (ms: number): string =>
  ms > 0 ? formatDurationMs(Math.floor(ms / 1000) * 1000) : '<expired>';
