/** Loads the configuration of admission plugins from disk. */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { openError } from '../../open-error.ts';
import { readPluginConfigurations, type PluginConfigurations } from './admission-configuration.ts';

/** @throws Error with upstream's message */
export function loadPluginConfigurations(file: string, pluginNames: readonly string[]): PluginConfigurations {
  if (file === '') return new Map();
  try {
    return readPluginConfigurations(file, pluginNames, {
      read: readText,
      resolve: (from, path) => (isAbsolute(path) ? path : join(dirname(from), path)),
    });
  } catch (failure) {
    throw new Error(`failed to apply admission: ${messageOf(failure)}`, { cause: failure });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    throw openError('open', file, failure);
  }
}
