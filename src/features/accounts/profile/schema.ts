import Type from 'typebox'
import { WEEKDAYS } from '../../auth/accounts.ts'
import { PersonName } from '../../auth/schema.ts'

export const ProfileChange = Type.Object(
  { name: Type.Optional(PersonName) },
  { additionalProperties: false, title: 'ProfileChange' },
)

const TimeOfDay = (example: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: [example] })

const Hours = Type.Object(
  { day: Type.Enum([...WEEKDAYS], { type: 'string' }), start: TimeOfDay('09:00'), end: TimeOfDay('17:00') },
  { additionalProperties: false, title: 'WorkingHours' },
)

const fields = {
  timezone: Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] }),
  locale: Type.String({ minLength: 2, maxLength: 35, examples: ['en-GB'] }),
  weekStart: Type.Enum([...WEEKDAYS], { type: 'string' }),
  workingHours: Type.Array(Hours, {
    maxItems: 50,
    description: 'In local time. A day may have several periods',
  }),
}

export const Preferences = Type.Object(fields, { title: 'Preferences' })
export const PreferencesChange = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
  title: 'PreferencesChange',
})
