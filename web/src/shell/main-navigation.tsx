import { Menu } from '@base-ui/react/menu'
import { Ellipsis, LogOut } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import * as t from '#locale/shell'
import { isWithin, NAVIGATION } from './navigation.ts'
import { useSignOut } from './use-sign-out.ts'

const OTHER_PAGES = NAVIGATION.filter(({ isTab }) => !isTab)

/** The last tab on small screens: the pages without a tab. */
const MoreMenu = () => {
  const [path] = useLocation()
  const signOut = useSignOut()
  const isCurrent = OTHER_PAGES.some((page) => isWithin(path, page))
  return (
    <Menu.Root>
      <Menu.Trigger className="main-nav-more" data-current={isCurrent}>
        <Ellipsis size={19} aria-hidden="true" />
        <span>{t.more}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner
          className="menu-place"
          positionMethod="fixed"
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
        >
          <Menu.Popup className="menu">
            {OTHER_PAGES.map((page) => (
              <Menu.LinkItem
                key={page.href}
                className="menu-item"
                closeOnClick
                render={<Link href={page.href} />}
                aria-current={isWithin(path, page) ? 'page' : undefined}
              >
                <page.icon size={17} aria-hidden="true" />
                {page.label}
              </Menu.LinkItem>
            ))}
            <Menu.Separator className="menu-rule" />
            <Menu.Item className="menu-item" onClick={() => void signOut()}>
              <LogOut size={17} aria-hidden="true" />
              {t.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

/** A list at the side, or five tabs at the bottom of small screens. */
export const MainNavigation = ({ hasIcons }: { hasIcons: boolean }) => {
  const [path] = useLocation()
  return (
    <nav className="main-nav" aria-label={t.mainNavigation}>
      <ul>
        {NAVIGATION.map((page) => (
          <li key={page.href} data-tab={page.isTab}>
            <Link
              href={page.href}
              aria-current={isWithin(path, page) ? 'page' : undefined}
              title={hasIcons ? page.label : undefined}
            >
              <page.icon size={19} aria-hidden="true" />
              <span>{page.label}</span>
            </Link>
          </li>
        ))}
        <li className="main-nav-more-item">
          <MoreMenu />
        </li>
      </ul>
    </nav>
  )
}
