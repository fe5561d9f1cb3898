import * as t from '#locale/accounts'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'

const GIGABYTE = 1e9
const NAME = 'gigabytes'
/** The largest limit that the API accepts: 2^50 bytes. */
const MAX_GIGABYTES = 1_000_000

/** Reads the field. Empty: null, no limit. */
export const readLimit = (values: FormData): number | null => {
  const given = readText(values, NAME)
  return given === '' ? null : Math.round(Number(given) * GIGABYTE)
}

interface GigabytesFieldProps {
  label: string
  /** The saved limit in bytes. Null: no limit. */
  limit: number | null
}

/** A storage limit in gigabytes. */
export const GigabytesField = ({ label, limit }: GigabytesFieldProps) => (
  <TextField
    name={NAME}
    label={label}
    hint={t.noLimitHint}
    type="number"
    min="0"
    max={MAX_GIGABYTES}
    step="any"
    inputMode="decimal"
    autoComplete="off"
    defaultValue={limit === null ? '' : String(limit / GIGABYTE)}
  />
)
