/** The text that `coxswain up` prints when the cluster is ready. */

import { coxswainVersion, kubernetesVersion } from '../program/version.ts';

/** The commands to type on joining machines, including the credentials that they need. */
export interface Invitation {
  readonly node: string;
  /** For a machine that also becomes a server. */
  readonly server?: string;
}

export interface BannerFacts {
  /** `https://127.0.0.1:6443` */
  readonly address: string;
  /** `LMDB in DIRECTORY`, `in memory` */
  readonly storage: string;
  readonly controllers: readonly string[];
  readonly nodes: readonly string[];
  readonly kubeconfig: string;
  /** The context in the user's kubeconfig; undefined if it was not requested. */
  readonly context: string | undefined;
  /** The link to the page, or why there is none; undefined if it was not requested. */
  readonly ui: string | undefined;
  /** The log of a cluster that keeps running in the background. */
  readonly log: string | undefined;
  readonly invitation: Invitation | undefined;
  readonly startedInMs: number;
}

const namedMax = 3;

export const banner = (facts: BannerFacts): string =>
  `Coxswain ${coxswainVersion}: Kubernetes ${kubernetesVersion} in one process

  API server   ${facts.address}
  storage      ${facts.storage}
  controllers  ${listed(facts.controllers)}
  scheduler    default-scheduler
  nodes        ${facts.nodes.length === 0 ? 'none yet' : listed(facts.nodes)}
  kubeconfig   ${facts.kubeconfig}
${facts.ui === undefined ? '' : `  UI           ${facts.ui}\n`}${facts.context === undefined ? '' : `  context      ${facts.context}\n`}${facts.log === undefined ? '' : `  log          ${facts.log}\n`}
Try${facts.log === undefined ? ', in another terminal' : ''}:

  export KUBECONFIG=${shellWord(facts.kubeconfig)}
  npx coxswain kubectl create deployment web --image=nginx --replicas=3
  npx coxswain kubectl get pods --watch
  npx coxswain trace kubectl get nodes
${facts.invitation === undefined ? '' : invitationText(facts.invitation)}
Ready in ${(facts.startedInMs / 1000).toFixed(2)} s. ${facts.log === undefined ? 'Ctrl-C' : '"npx coxswain down"'} stops the cluster.
`;

const beginning = '\nTo add a machine to this cluster, run on it as root:\n';

const invitationText = ({ node, server }: Invitation): string =>
  `${beginning}\n  ${node}\n${server === undefined ? '' : `\nTo add a server within two hours, run on its machine:\n\n  ${server}\n`}`;

/** Removes the credentials, so that the banner can be stored. */
export const withoutInvitation = (text: string): string =>
  text.replace(new RegExp(`${beginning}[^]*?(?=\nReady in)`), '');

const listed = (names: readonly string[]): string =>
  names.length <= namedMax
    ? names.join(', ') || 'none'
    : `${names.slice(0, namedMax).join(', ')} and ${names.length - namedMax} more`;

/** Quotes text so that a shell reads it as one word. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
