/** A profile whose plugins are timed call by call: used for sampled attempts, so that others incur no cost. */
import type { Clock, Work } from '@coxswain/apimachinery';
import type { ExtensionPoint, Profile, UntypedPlugin } from '../framework/profile.ts';
import type { CallStatus, ProfileMetrics } from './profile-metrics.ts';

const timedPoints: readonly (readonly [keyof UntypedPlugin, string])[] = [
  ['preFilter', 'PreFilter'],
  ['filter', 'Filter'],
  ['postFilter', 'PostFilter'],
  ['preScore', 'PreScore'],
  ['score', 'Score'],
  ['normalize', 'ScoreExtensionNormalize'],
  ['reserve', 'Reserve'],
  ['unreserve', 'Unreserve'],
  ['permit', 'Permit'],
  ['preBind', 'PreBind'],
  ['bind', 'Bind'],
  ['postBind', 'PostBind'],
];

export function timedProfile(profile: Profile, metrics: ProfileMetrics, clock: Clock): Profile {
  const timed = new Map<UntypedPlugin, UntypedPlugin>();
  const timedOf = (plugin: UntypedPlugin): UntypedPlugin => {
    let made = timed.get(plugin);
    if (made === undefined) timed.set(plugin, (made = timedPlugin(plugin, metrics, clock)));
    return made;
  };
  const points = Object.fromEntries(
    Object.entries(profile.points).map(([point, plugins]) => [point, plugins.map(timedOf)]),
  ) as unknown as Readonly<Record<ExtensionPoint, readonly UntypedPlugin[]>>;
  return { ...profile, points };
}

type Call = (...parameters: unknown[]) => unknown;

/** The untimed function by its timed wrapper. */
const untimed = new WeakMap<Work, Work>();

/** Returns the plugin's own function, even if it is timed. */
export const workOf = (plugin: UntypedPlugin, method: keyof UntypedPlugin): Work | undefined => {
  const call = plugin[method];
  return typeof call === 'function' ? (untimed.get(call) ?? call) : undefined;
};

function timedPlugin(plugin: UntypedPlugin, metrics: ProfileMetrics, clock: Clock): UntypedPlugin {
  const timed: Record<string, unknown> = { ...plugin };
  for (const [method, point] of timedPoints) {
    const call = plugin[method] as Call | undefined;
    if (call === undefined) continue;
    const timing: Call = (...parameters) => {
      const startMs = clock.monotonic();
      const note = (status: CallStatus) =>
        metrics.took(point, plugin.name, status, clock.monotonic() - startMs);
      const answer = call.apply(plugin, parameters);
      if (!(answer instanceof Promise)) note(statusOf(answer));
      else
        answer.then(
          () => note('Success'),
          () => note('Error'),
        );
      return answer;
    };
    untimed.set(timing, call);
    timed[method] = timing;
  }
  return timed as unknown as UntypedPlugin;
}

const statuses: Readonly<Record<string, CallStatus>> = {
  error: 'Error',
  unschedulable: 'Unschedulable',
  unresolvable: 'UnschedulableAndUnresolvable',
  wait: 'Wait',
};

/** Derives the status from the result of a plugin or extension point. */
export function statusOf(answer: unknown): CallStatus {
  if (answer === 'skip') return 'Skip';
  if (typeof answer !== 'object' || answer === null) return 'Success';
  const { kind, rejection, skip, status } = answer as {
    readonly kind?: string;
    readonly rejection?: { readonly kind: string };
    readonly skip?: boolean;
    readonly status?: unknown;
  };
  if (status !== undefined) return statusOf(status);
  if (skip === true) return 'Skip';
  return statuses[rejection?.kind ?? kind ?? ''] ?? 'Success';
}
