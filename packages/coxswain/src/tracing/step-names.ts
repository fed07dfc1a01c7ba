/** The names of all steps, by what takes them. */

import { unknownName } from '../program/unknown-name.ts';

/** Names of steps, separated by spaces; `*` stands for one part, such as the name of a plugin. */
const taken = {
  filters: `
    audit authenticate authorize cache-control cors count-in-flight goaway impersonate init-audit
    log-request max-in-flight paths-installed priority-and-fairness record recover-panics
    request-deadline request-info request-received-time retry-after strict-transport-security timeout
    trace-request warning-recorder`,
  server: `
    authenticator/* authorizer/* server/* handler/path handler/get handler/list handler/post handler/put
    handler/patch handler/delete handler/connect handler/* rest/get rest/list rest/create rest/connect
    rest/stream admission/reinvoke decode default convert managed-fields patch prepare validate begin-create begin-update
    check-resource-version decide-again mark-deletion admission/mutate/* admission/validate/* webhook/*
    policy/* review disruption-budget encode storage/update storage/dry-run storage.transact cache/get
    cache/list cache/watch respond watch send-event stream stream/exec stream/attach stream/log stream/portforward stream/*`,
  storage: 'compact expire-lease',
  lifecycle: `
    start listen post-start-hook/* component/* acquire-or-renew release-lease stop stop-components leave
    pre-shutdown-hook/* drain end-watches close-connections flush-audit`,
  clients: `
    client/request client/rate-limit client/back-off client/retry client/upgrade tls-handshake http/1.1
    http/2 informer/list reconcile`,
  kubectl: `
    process find-command parse-flags check-arguments persistent-pre-run pre-run check-flags run post-run
    persistent-post-run factory load-kubeconfig builder visit discovery rest-mapping choose-printer
    print copy-streams kustomize three-way-patch prune check-condition pods-to-evict choose-revision compare
    debug complete`,
  scheduler: `
    schedule schedule/pre-filter schedule/filter schedule/post-filter schedule/score schedule/reserve
    schedule/permit schedule/pre-bind schedule/bind filter/* refused-by/* score/* post-filter/*
    queueing-hints queueing-hint/* extender/*`,
  nodes: `
    sync runtime/pullImage runtime/runSandbox runtime/stopSandbox runtime/startContainer
    runtime/stopContainer runtime/removeContainer runtime/probe health/* cri/* volume/* hook/* nft zone upstream answer lookup`,
};

const stepNames: readonly string[] = Object.values(taken).flatMap((names) => names.trim().split(/\s+/));

/** Whether `term` is the name of the step, its beginning (`admission/mutate`) or its last part (`NodeResourcesFit`). */
export const isStepNamed = (step: string, term: string): boolean =>
  step === term || step.startsWith(`${term}/`) || step.endsWith(`/${term}`);

/** Names of plugins (`NodeResourcesFit`) and webhooks (`deny.example.com`), which can be the last part of a name. */
const isOwnName = (term: string): boolean => /^[A-Z]|\..+\./.test(term);

/** What is wrong with a name that no step can have. */
export function unknownStep(term: string): string | undefined {
  const isKnown = stepNames.some((name) => {
    if (!name.endsWith('/*')) return isStepNamed(name, term);
    const fixed = name.slice(0, -2);
    return isStepNamed(fixed, term) || term.startsWith(`${fixed}/`);
  });
  if (isKnown || isOwnName(term)) return undefined;
  return unknownName(
    'step',
    term,
    stepNames.map((name) => name.replace(/\/\*$/, '')),
  );
}
