/** A pod's volume that is mounted on the node, and its usage. */
export interface MountedVolume {
  readonly hostPath: string;
  readonly readOnly: boolean;
  /** For a volume with contents from the API: the digest of what was last written. */
  readonly digest?: string;
  /** The path is that of a device, or of a link to one. */
  readonly isDevice?: boolean;
  /** Its driver requires periodic republishing, and may change its contents. */
  readonly isRepublished?: boolean;
  /** The claim of the volume, if it may be expanded while mounted. */
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
