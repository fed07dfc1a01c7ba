import { systemClock } from '@coxswain/apimachinery';
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

/** In the largest unit that is full, as kubeadm tells it: `23h`. */
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
