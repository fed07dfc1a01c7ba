/** Creates the filters around the outermost server of the chain from the options. */
import type { Authenticator, Authorizer, DelegationTarget } from '@coxswain/apiserver';
import type { Auditing } from '@coxswain/apiserver/audit/audit-context.ts';
import type { FlowControl } from '@coxswain/apiserver/flow-control/flow-control.ts';
import { serveChain, type ServedChain } from '@coxswain/apiserver/generic-api-server.ts';
import type { ServerLifecycle } from '@coxswain/apiserver/lifecycle/server-lifecycle.ts';
import type { ServerServices } from '@coxswain/apiserver/services/services.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ServerState } from './server-state.ts';

export interface FilterParts {
  readonly handlers: ServerServices;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly flowControl: FlowControl | undefined;
  readonly life: ServerLifecycle;
  readonly auditing: Auditing | undefined;
}

export function filtered(
  outermost: DelegationTarget,
  options: CompletedOptions,
  { inFlight }: ServerState,
  { handlers, authenticator, authorizer, flowControl, life, auditing }: FilterParts,
): ServedChain {
  return serveChain(outermost, {
    services: handlers,
    authenticator,
    authorizer,
    constrainsImpersonation: options.features.enabled('ConstrainedImpersonation'),
    limits: options.limits,
    flowControl,
    requestTimeoutMs: options.requestTimeoutMs,
    allowedOrigins: options.corsAllowedOrigins,
    transportSecurityDirectives: options.strictTransportSecurity,
    logEveryRequest: options.logEveryRequest,
    requestLog: options.observability?.requestLog,
    observer: options.observer,
    tracer: options.observability?.tracer,
    auditing,
    stopping: life,
    goawayChance: options.goawayChance,
    extraFilter: options.extraFilter?.(authorizer),
    guests: options.guests,
    inFlight,
  });
}
