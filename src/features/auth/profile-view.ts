import type { ProfileRow } from './user-store.ts'

const avatarUrlOf = (user: ProfileRow): string | null =>
  user.avatarHash === null ? null : `/api/settings/profile/avatar?v=${user.avatarHash.slice(0, 8)}`

/** What a person sees of their own account; `version` becomes the ETag and goes no further. */
export const profileOf = (user: ProfileRow) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  avatarUrl: avatarUrlOf(user),
  timezone: user.timezone,
  twoFactorEnabled: user.twoFactorEnabledAt !== null,
  createdAt: user.createdAt,
  version: user.version,
})
