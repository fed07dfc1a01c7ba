import { formatDurationMs } from '@coxswain/apimachinery';
import { configurationVersion, settingTable, type KubeletSettings } from './kubelet-configuration.ts';
import type { SettingKind } from './setting-kinds.ts';

/** Returns the effective settings in the form of their file, for `/configz`. */
export const configurationDocument = (settings: KubeletSettings): object => ({
  kind: 'KubeletConfiguration',
  apiVersion: configurationVersion,
  ...written(settings, settingTable),
});

type Kinds = Readonly<Record<string, SettingKind<unknown>>>;

/** Converts numeric durations to text, also within groups of settings. */
function written(values: Readonly<Record<string, unknown>>, kinds: Kinds): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { isDuration, table } = kinds[name] ?? {};
      if (isDuration) return [name, formatDurationMs(value as number)];
      if (table !== undefined) return [name, written(value as Readonly<Record<string, unknown>>, table)];
      return [name, value];
    }),
  );
}
