import type { Db } from '../../../database/db.ts'
import { THE_ONE } from '../../../database/tables/accounts.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/caller.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readByNumber } from '../../../platform/resources.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import type { Activity } from '../../auth/activity.ts'
import type { Registration, RegistrationPolicy } from '../../auth/registration-policy.ts'
import { getUser, lockUser, type User, updateUser } from '../../auth/repository.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Security } from '../security/security.ts'
import {
  type AccountRecord,
  findAccount,
  lockInstanceSettings,
  passOwnershipTo,
  readInstanceSettings,
  selectAccounts,
  updateInstanceSettings,
} from './repository.ts'

export interface AccountChange {
  disabled?: boolean | undefined
  storageQuotaBytes?: number | null | undefined
  role?: 'owner' | undefined
  password?: string | undefined
}

export interface InstanceChange {
  registration?: Registration | undefined
  defaultStorageQuotaBytes?: number | null | undefined
  mailAccountId?: string | null | undefined
  password?: string | undefined
}

/** How the instance sends its own mail: password resets and invitations. */
export interface InstanceMail {
  /** The operator set `SMTP_URL`. */
  isConfigured: boolean
  /** Returns the sender's address, or null if the instance cannot send mail. */
  readAddress(view: Db): Promise<string | null>
  hasAccount(view: Db, userId: number, mailAccountId: string): Promise<boolean>
}

interface ChangeContext {
  visit: Visit
  ifMatch: string | undefined
}

interface AdministrationNeeds {
  activity: Activity
  sessions: Pick<Sessions, 'revokeOthers'>
  security: Pick<Security, 'withPassword'>
  registration: RegistrationPolicy
  instanceMail: InstanceMail
  /** The base of links in mail of the service. */
  publicUrl: string | null
  /** Deletes an account with its data. */
  deleteAccount: (tx: Db, user: User) => Promise<void>
}

const viewOf = ({ disabledAt, role, lastSignInAt, storageBytes, ...account }: AccountRecord) => ({
  ...account,
  storageBytes: Number(storageBytes),
  role: role === 'owner' ? ('owner' as const) : ('member' as const),
  disabled: disabledAt !== null,
  lastSignInAt: lastSignInAt ?? null,
  extra: `${lastSignInAt ?? ''}.${storageBytes}`,
})

export type Administration = ReturnType<typeof createAdministration>

/** Lets the owner manage other accounts, without access to their data. */
export const createAdministration = ({ db, clock }: Platform, needs: AdministrationNeeds) => {
  const { activity, sessions, security, registration, instanceMail, publicUrl, deleteAccount } = needs
  const now = () => clock.now().toISOString()

  const get = async (view: Db, id: number): Promise<AccountRecord> => {
    const account = await findAccount(view, id)
    if (!account) throw notFound('account')
    return account
  }

  /** The owner leaves through the settings of the own account, which ask for the password. */
  const requireOther = (id: number, owner: number): void => {
    if (id === owner)
      throw conflict('This is your own account. Hand over the ownership first, or use your settings.')
  }

  const setDisabled = async (
    tx: Db,
    user: User,
    disabled: boolean,
    owner: number,
    visit: Visit,
  ): Promise<void> => {
    if (disabled === (user.disabledAt !== null)) return
    await updateUser(tx, user, { disabledAt: disabled ? now() : null }, now())
    const action = disabled ? 'account.disabled' : 'account.enabled'
    await activity.record(tx, owner, visit, action, { accountId: user.id })
    await activity.record(tx, user.id, visit, action)
    if (disabled) await sessions.revokeOthers(user.id, null, visit)
  }

  const setQuota = async (
    tx: Db,
    user: User,
    storageQuotaBytes: number | null,
    owner: number,
    visit: Visit,
  ): Promise<void> => {
    if (storageQuotaBytes === user.storageQuotaBytes) return
    await updateUser(tx, user, { storageQuotaBytes }, now())
    const details = { accountId: user.id, storageQuotaBytes }
    await activity.record(tx, owner, visit, 'account.quota_changed', details)
  }

  const handOver = async (tx: Db, from: User, to: User, visit: Visit): Promise<void> => {
    if (from.role !== 'owner') throw conflict('You are no longer the owner of this instance.')
    if (to.disabledAt !== null) throw conflict('A disabled account cannot own the instance.')
    await passOwnershipTo(tx, from, to.id, now())
    // The chosen mail account belongs to the former owner.
    await lockInstanceSettings(tx, now())
    await updateInstanceSettings(tx, { mailAccountId: null, updatedAt: now() })
    await activity.record(tx, from.id, visit, 'ownership.handed_over', { accountId: to.id })
    await activity.record(tx, to.id, visit, 'ownership.received')
  }

  const readSettings = async (view: Db) => {
    const settings = await readInstanceSettings(view)
    const mailAddress = await instanceMail.readAddress(view)
    return {
      id: THE_ONE,
      registration: await registration.read(view),
      registrationIsFixed: registration.isFixed,
      defaultStorageQuotaBytes: settings?.defaultStorageQuotaBytes ?? null,
      mailAccountId: settings?.mailAccountId ?? null,
      mailAddress,
      mailIsFixed: instanceMail.isConfigured,
      hasPublicUrl: publicUrl !== null,
      version: settings?.version ?? 0,
      // The sender also changes with the mail accounts of the owner.
      extra: mailAddress && digest(mailAddress).slice(0, 22),
    }
  }

  const checkSettings = async (tx: Db, owner: number, change: InstanceChange): Promise<void> => {
    if (change.registration !== undefined && registration.isFixed)
      throw conflict('REGISTRATION is set in the configuration of this instance. Change it there.')
    const { mailAccountId } = change
    if (mailAccountId === undefined) return
    if (instanceMail.isConfigured)
      throw conflict('SMTP_URL is set in the configuration of this instance. Change it there.')
    if (mailAccountId !== null && !(await instanceMail.hasAccount(tx, owner, mailAccountId)))
      throw invalidField('mailAccountId', 'is not one of your mail accounts')
  }

  return {
    async list(request: PageRequest) {
      const { page, nextCursor } = await readByNumber(selectAccounts(db), request)
      return { accounts: page.map(viewOf), nextCursor }
    },

    get: async (id: number) => viewOf(await get(db, id)),

    async change(owner: number, id: number, change: AccountChange, { visit, ifMatch }: ChangeContext) {
      const { disabled, storageQuotaBytes, role, password } = change
      if (disabled !== undefined || role !== undefined) requireOther(id, owner)
      const write = async (tx: Db, from?: User) => {
        await get(tx, id)
        const user = await lockUser(tx, id)
        requireMatch(ifMatch, user)
        if (disabled !== undefined) await setDisabled(tx, user, disabled, owner, visit)
        if (storageQuotaBytes !== undefined)
          await setQuota(tx, await getUser(tx, id), storageQuotaBytes, owner, visit)
        if (from) await handOver(tx, from, await getUser(tx, id), visit)
        return viewOf(await get(tx, id))
      }
      if (role === undefined) return inTransaction(db, write)
      if (password === undefined) throw invalidField('password', 'is required to hand over the ownership')
      return security.withPassword(owner, password, write)
    },

    async remove(owner: number, id: number, password: string, visit: Visit): Promise<void> {
      requireOther(id, owner)
      await security.withPassword(owner, password, async (tx) => {
        const { email } = await get(tx, id)
        await deleteAccount(tx, await getUser(tx, id))
        await activity.record(tx, owner, visit, 'account.deleted', { email })
      })
    },

    readSettings: () => readSettings(db),

    /**
     * Another mail account sends the password resets of all accounts, so a stolen session must not choose it.
     */
    async changeSettings(owner: number, change: InstanceChange, { visit, ifMatch }: ChangeContext) {
      const { password, ...fields } = change
      const write = async (tx: Db) => {
        await lockInstanceSettings(tx, now())
        const settings = await readSettings(tx)
        requireMatch(ifMatch, settings)
        const changed = Object.fromEntries(
          Object.entries(fields).filter(([name, value]) => settings[name as keyof typeof fields] !== value),
        ) as typeof fields
        if (Object.keys(changed).length === 0) return settings
        await checkSettings(tx, owner, changed)
        const { registration: newRegistration, defaultStorageQuotaBytes, mailAccountId } = changed
        if (mailAccountId !== undefined && password === undefined)
          throw invalidField('password', 'is required to change the mail account of this instance')
        await updateInstanceSettings(tx, { ...changed, updatedAt: now() })
        const result = await readSettings(tx)
        if (newRegistration !== undefined)
          await activity.record(tx, owner, visit, 'registration.changed', { registration: newRegistration })
        if (defaultStorageQuotaBytes !== undefined)
          await activity.record(tx, owner, visit, 'instance.changed', { defaultStorageQuotaBytes })
        if (mailAccountId !== undefined)
          await activity.record(tx, owner, visit, 'instance_mail.changed', {
            mailAccountId,
            address: result.mailAddress,
          })
        return result
      }
      return password === undefined ? inTransaction(db, write) : security.withPassword(owner, password, write)
    },
  }
}
