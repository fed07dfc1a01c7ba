/** Settings of a kubelet of tests, which has the machine to itself neither in fact nor in name. */
import path from 'node:path';

/** However full the machine is: no pod is evicted, and no image goes. */
export const unconcernedByRoom = {
  evictionHard: { 'memory.available': '0%' },
  imageGCHighThresholdPercent: 100,
};

/** Groups and logs of its own, too. @param directory the test's */
export const kubeletSettingsIn = (directory: string) => ({
  ...unconcernedByRoom,
  cgroupRoot: cgroupOf(directory),
  podLogsDir: path.join(directory, 'pod-logs'),
});

/** The control group of a test whose directory that is. */
export const cgroupOf = (directory: string): string => `/${path.basename(directory)}`;
