/** Programs that well-known images have besides the common ones. */
import { imageName } from '../behaviour/image-ports.ts';
import { nginx } from '../process/nginx-program.ts';
import type { Program } from '../process/simulated-process.ts';

const programs: Readonly<Record<string, ReadonlyMap<string, Program>>> = {
  nginx: new Map([['nginx', nginx]]),
  'nginx-slim': new Map([['nginx', nginx]]),
};

/** By name; undefined if there are none. */
export function imagePrograms(image: string): ReadonlyMap<string, Program> | undefined {
  const name = imageName(image, programs);
  return name === undefined ? undefined : programs[name];
}
