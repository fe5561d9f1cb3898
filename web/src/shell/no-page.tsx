import { LinkButton } from '../ui/button.tsx'
import { Page } from './page.tsx'

interface NoPageProps {
  within?: string
  /** Where to go on from. */
  href?: string
  label?: string
}

export const NoPage = ({ within, href = '/', label = 'Home' }: NoPageProps) => (
  <Page
    title="There is no such page"
    {...(within !== undefined && { within })}
    about="The address may be mistyped, or the page has moved."
  >
    <div>
      <LinkButton href={href}>{label}</LinkButton>
    </div>
  </Page>
)
