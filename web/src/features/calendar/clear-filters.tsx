import * as t from '#locale/calendar'
import { Button } from '../../ui/button.tsx'
import type { UrlState } from './address.ts'

/** Ends the search and shows events of every status and source. */
export const ClearFilters = ({ go }: { go: (change: Partial<UrlState>) => void }) => (
  <Button size="small" onClick={() => go({ search: '', status: null, source: null })}>
    {t.clearFilters}
  </Button>
)
