import type { Db } from '../../database/db.ts'

/** After the owner, anybody, nobody, or only people with an invitation may register. */
export type Registration = 'open' | 'first' | 'invite'

export type RegistrationPolicy = ReturnType<typeof createRegistrationPolicy>

/** The configuration decides. Without it, the owner decides in the console. */
export const createRegistrationPolicy = ({
  configured,
  fallback,
}: {
  configured: Registration | null
  fallback: Registration
}) => ({
  isFixed: configured !== null,
  async read(view: Db): Promise<Registration> {
    if (configured !== null) return configured
    const settings = await view.selectFrom('instance_settings').select('registration').executeTakeFirst()
    return settings?.registration ?? fallback
  },
})
