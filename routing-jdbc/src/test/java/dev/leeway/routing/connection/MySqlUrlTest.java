package dev.leeway.routing.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MySqlUrlTest {
  @Test
  void whatItSaysIsKept() {
    MySqlUrl url = MySqlUrl.parse("jdbc:mysql://db-1:3307/shop?socketTimeout=2000&useSSL=false");

    assertThat(url.host()).isEqualTo("db-1");
    assertThat(url.database()).isEqualTo("shop");
    assertThat(url.socketTimeoutMillis()).isEqualTo(2_000);
    assertThat(url.contradictions()).isEmpty();
  }

  @Test
  void ourSettingsAreAddedAndTakeThePlaceOfTheirs() {
    MySqlUrl url = MySqlUrl.parse("jdbc:mysql://db-1/shop?sockettimeout=9&useSSL=false");

    assertThat(url.forWriting(5_000))
        .startsWith("jdbc:mysql://db-1/shop?useSSL=false&")
        .contains("socketTimeout=5000", "trackSessionState=true")
        .doesNotContain("sockettimeout=9");
  }

  @Test
  void sessionVariablesOfTheUrlAreKeptBesideOurs() {
    MySqlUrl url =
        MySqlUrl.parse("jdbc:mysql://db-1/shop?sessionVariables=wait_timeout=60,sql_mode='ANSI'");

    MySqlUrl reading = MySqlUrl.parse(url.forReading(5_000));
    assertThat(reading.forReading(1)).contains("wait_timeout=60,sql_mode='ANSI'");
    assertThat(url.forReading(5_000)).contains("transaction_read_only=1");
  }

  @Test
  void aUrlWithoutParametersGetsOurs() {
    assertThat(MySqlUrl.parse("jdbc:mysql://db-1/shop").forReading(5_000))
        .startsWith("jdbc:mysql://db-1/shop?")
        .contains("sessionVariables=transaction_read_only=1");
  }

  @Test
  void trackingThatIsSwitchedOffIsAContradiction() {
    assertThat(
            MySqlUrl.parse("jdbc:mysql://db-1/shop?sessionVariables=session_track_gtids=OFF")
                .contradictions())
        .singleElement()
        .asString()
        .startsWith("its URL sets session_track_gtids in sessionVariables to something else");
    assertThat(
            MySqlUrl.parse("jdbc:mysql://db-1/shop?sessionVariables=session_track_gtids=own_gtid")
                .contradictions())
        .isEmpty();
    assertThat(
            MySqlUrl.parse(
                    "jdbc:mysql://db-1/shop?sessionVariables=transaction_read_only=0,autocommit=0")
                .contradictions())
        .hasSize(2);
  }

  @Test
  void aContradictionIsFoundHoweverItIsSpelled() {
    for (String spelled :
        List.of(
            "jdbc:mysql://db-1/shop?autoReconnect=yes",
            "jdbc:mysql://db-1/shop?AUTORECONNECT=True",
            "jdbc:mysql://db-1/shop?autoReconnectForPools=YES",
            "jdbc:mysql://(host=db-1,autoReconnect=true)/shop",
            "jdbc:mysql://address=(host=db-1)(autoReconnect=yes)/shop")) {
      assertThat(MySqlUrl.parse(spelled).contradictions())
          .as(spelled)
          .singleElement()
          .asString()
          .startsWith("its URL sets autoReconnect=true");
    }
    assertThat(
            MySqlUrl.parse("jdbc:mysql://address=(host=db-1)(trackSessionState=no)/shop")
                .contradictions())
        .singleElement()
        .asString()
        .startsWith("its URL sets trackSessionState=false");
    assertThat(
            MySqlUrl.parse("jdbc:mysql://(host=db-1,sessionVariables=autocommit=0)/shop")
                .contradictions())
        .hasSize(1);
  }

  @Test
  void whatIsNoUrlIsSaidToBeNone() {
    assertThatThrownBy(() -> MySqlUrl.parse("jdbc:mysql://db-1:port:9/x?&&&==="))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("its URL cannot be read: ");
  }
}
