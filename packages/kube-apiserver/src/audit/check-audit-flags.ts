/** Validates the audit flags, in upstream's order and words. */
import { apiVersionProblem } from '@coxswain/apimachinery';
import { logFormats } from '@coxswain/apiserver/audit/backends/log-backend.ts';
import type { AuditFlags } from './audit-flags.ts';
import { type DeliveryFlags, logDelivery, webhookDelivery, auditModes } from './delivery-flags.ts';

/** @throws Error that lists all problems, as upstream */
export function checkAuditFlags(flags: AuditFlags): void {
  const problems = [
    ...(flags.auditLogPath === ''
      ? []
      : [...deliveryProblems('log', logDelivery(flags)), ...logProblems(flags)]),
    ...(flags.auditWebhookConfigFile === '' ? [] : deliveryProblems('webhook', webhookDelivery(flags))),
  ];
  if (problems.length === 1) throw new Error(problems[0]);
  if (problems.length > 1) throw new Error(`[${problems.join(', ')}]`);
}

const deliveryProblems = (plugin: string, delivery: DeliveryFlags): string[] => [
  ...modeProblem(plugin, delivery),
  ...truncateProblem(plugin, delivery),
  ...versionProblem(delivery),
];

/** Only the first problem. */
function modeProblem(plugin: string, delivery: DeliveryFlags): string[] {
  const { mode, bufferSize, batchSizeMax, throttles, qps, burst } = delivery;
  if (!(auditModes as readonly string[]).includes(mode)) {
    return [`invalid audit ${plugin} mode ${mode}, allowed modes are "${auditModes.join(',')}"`];
  }
  if (mode !== 'batch') return [];
  const sizes: readonly (readonly [string, number])[] = [
    ['buffer size', bufferSize],
    ['max batch size', batchSizeMax],
    ...(throttles
      ? ([
          ['throttle QPS', qps],
          ['throttle burst', burst],
        ] as const)
      : []),
  ];
  const wrong = sizes.find(([, value]) => value <= 0);
  return wrong === undefined
    ? []
    : [`invalid audit batch ${plugin} ${wrong[0]} ${wrong[1]}, must be a positive number`];
}

function truncateProblem(plugin: string, { eventBytesMax, batchBytesMax }: DeliveryFlags): string[] {
  if (eventBytesMax <= 0) {
    return [`invalid audit truncate ${plugin} max event size ${eventBytesMax}, must be a positive number`];
  }
  return batchBytesMax < eventBytesMax
    ? [
        `invalid audit truncate ${plugin} max batch size ${batchBytesMax}, must be greater than max event size (${eventBytesMax})`,
      ]
    : [];
}

function versionProblem({ version }: DeliveryFlags): string[] {
  if (version === 'audit.k8s.io/v1') return [];
  return [
    apiVersionProblem(version) ?? 'invalid group version, allowed versions are [{"audit.k8s.io" "v1"}]',
  ];
}

function logProblems(flags: AuditFlags): string[] {
  const numbers = [
    ['audit-log-maxage', flags.auditLogMaxage],
    ['audit-log-maxbackup', flags.auditLogMaxbackup],
    ['audit-log-maxsize', flags.auditLogMaxsize],
  ] as const;
  const isKnown = (logFormats as readonly string[]).includes(flags.auditLogFormat);
  return [
    ...(isKnown
      ? []
      : [`invalid audit log format ${flags.auditLogFormat}, allowed formats are "${logFormats.join(',')}"`]),
    ...numbers
      .filter(([, value]) => value < 0)
      .map(([name, value]) => `--${name} ${value} can't be a negative number`),
  ];
}
