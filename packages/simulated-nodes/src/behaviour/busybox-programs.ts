/** The programs in the image `busybox`, which contains no others. */
export const busyboxPrograms: ReadonlySet<string> = new Set(
  `
    [ [[ acpid add-shell addgroup adduser adjtimex ar arch arp arpd arping ascii ash awk base64 basename
    bc beep blkdiscard blockdev bootchartd brctl bunzip2 busybox bzcat bzip2 cal cat chattr chgrp chmod
    chown chpasswd chpst chroot chvt cksum clear cmp comm conspy cp cpio crc32 crond crontab cttyhack
    cut date dc dd deallocvt delgroup deluser depmod devfsd devmem df dhcprelay diff dirname dmesg dnsd
    dnsdomainname dos2unix dpkg dpkg-deb du dumpe2fs dumpkmap dumpleases echo ed egrep env envdir
    envuidgid ether-wake expand expr factor fallocate false fatattr fbset fbsplash fdflush fdisk
    fgconsole fgrep find findfs flash_eraseall flock fold free freeramdisk fsck fsfreeze fstrim fsync
    ftpget ftpput fuser getopt getty grep groups gunzip gzip halt hdparm head hexdump hexedit hostid
    hostname httpd hush hwclock i2cdetect i2cdump i2cget i2cset i2ctransfer id ifconfig ifdown ifup
    inetd init inotifyd insmod install ionice iostat ip ipaddr ipcalc ipcrm ipcs iplink ipneigh iproute
    iprule iptunnel kbd_mode kill killall killall5 klogd last less link linux32 linux64 linuxrc ln
    loadfont loadkmap logger login logname logread losetup lpd lpq lpr ls lsattr lsmod lsof lspci lsscsi
    lsusb lzcat lzma lzop lzopcat makedevs makemime man md5sum mdev mesg microcom mim mkdir mkdosfs
    mke2fs mkfifo mkfs.ext2 mkfs.minix mkfs.vfat mknod mkpasswd mkswap mktemp modinfo modprobe more
    mount mountpoint mpstat mt mv nameif nanddump nandwrite nbd-client nc netstat nice nl nmeter nohup
    nologin nproc nsenter nslookup ntpd nuke od openvt partprobe passwd paste patch pgrep pidof ping
    ping6 pipe_progress pivot_root pkill pmap popmaildir poweroff powertop printenv printf ps pscan
    pstree pwd pwdx raidautorun rdate readahead readlink readprofile realpath reboot reformime
    remove-shell renice reset resize resume rev rm rmdir rmmod route rpm rpm2cpio rtcwake run-init
    run-parts runlevel runsv runsvdir rx script scriptreplay sed sendmail seq setarch setconsole
    setfattr setfont setkeycodes setlogcons setpriv setserial setsid setuidgid sh sha1sum sha256sum
    sha3sum sha512sum showkey shred shuf slattach sleep smemcap softlimit sort split ssl_client
    start-stop-daemon stat strings stty su sulogin sum sv svc svlogd svok swapoff swapon switch_root
    sync sysctl syslogd tac tail tar taskset tc tcpsvd tee telnet telnetd test tftp tftpd time timeout
    top touch tr traceroute traceroute6 tree true truncate ts tty tunctl tune2fs ubiattach ubidetach
    ubirename udhcpc udhcpd udpsvd uevent umount uname uncompress unexpand uniq unix2dos unlink unlzma
    unlzop unshare unxz unzip uptime users usleep uudecode uuencode vconfig vi vlock volname w wall
    watch watchdog wc wget which who whoami whois xargs xxd xz xzcat yes zcat zcip
  `
    .trim()
    .split(/\s+/),
);
