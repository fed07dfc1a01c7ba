/** A volume of a pod that is on the node, and how full it is. */
export interface MountedVolume {
  readonly hostPath: string;
  readonly readOnly: boolean;
  /** Of a volume whose content comes from the API: what was written last. */
  readonly digest?: string;
  /** The path is that of a device, or of a link to one. */
  readonly isDevice?: boolean;
  /** Its driver wants to be asked again now and then, and may change what is in it. */
  readonly isRepublished?: boolean;
  /** The claim whose volume it is, where that may grow while it is mounted. */
  readonly claim?: string;
}

export interface VolumeAmounts {
  readonly availableBytes?: number;
  readonly capacityBytes?: number;
  readonly usedBytes?: number;
  readonly inodesFree?: number;
  readonly inodes?: number;
  readonly inodesUsed?: number;
}
