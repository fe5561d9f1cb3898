import { spawnSync } from 'node:child_process'

/** Calendar clients that synchronize with CalDAV: khal shows and changes what vdirsyncer stores. */
export const calendarClients = {
  name: 'vdirsyncer and khal',
  debianPackages: ['vdirsyncer', 'khal'],
  isInstalled: () => ['vdirsyncer', 'khal'].every((name) => spawnSync(name, ['--version']).status === 0),

  async provide() {
    if (!this.isInstalled()) return { missing: 'install them (Debian: apt-get install vdirsyncer khal).' }
    return { env: { TEST_CALENDAR_CLIENTS: 'yes' }, stop: async () => {} }
  },
}
